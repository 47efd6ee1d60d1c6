import type { Context } from '../kernel/context.ts'
import { readDocument } from '../transactions/transaction.ts'
import type { NearTransaction } from './matches.ts'
import { referenceKeys, shownReferenceKey } from './row-key.ts'
import type { StagedRow } from './source-file.ts'
import { listKnown, listNear, type NearRow, type Origin, ofReferences } from './store.ts'

interface Search {
  days: { from: string; to: string }
  /** The number of the last change before the statement. */
  before: number
  /** The transactions that rows stand for by their keys. */
  told: ReadonlySet<string>
}

/** The transactions that rows of a statement may stand for. */
export async function listNearTransactions(
  ctx: Context,
  origin: Origin,
  rows: readonly StagedRow[],
  { days, before, told }: Search,
): Promise<NearTransaction[]> {
  const isTold = ({ transaction_id }: NearRow) => told.has(transaction_id)
  const found = await listNear(ctx, origin, days)
  // A pending transaction that the statement still tells is not open to other rows.
  const near = found.filter((row) => row.pending === 0 || !isTold(row))
  const isPending = near.some(({ pending }) => pending === 1)
  const referred = isPending ? await listReferred(ctx, origin, rows) : new Map<string, string[]>()
  return near.map((row) => ({
    row,
    isTold: isTold(row) || row.insertion > before,
    references: [...(referred.get(row.transaction_id) ?? []), ...shownReference(ctx, row)],
  }))
}

/** The references of pending transactions that rows name, too. */
async function listReferred(ctx: Context, origin: Origin, rows: readonly StagedRow[]) {
  const asked = new Set(rows.flatMap((row) => referenceKeys(ctx.keys, row)))
  const known = await listKnown(ctx, { ...origin, origin: ofReferences }, [...asked])
  const groups = Map.groupBy(known, ({ transaction_id }) => transaction_id)
  return new Map([...groups].map(([id, keys]) => [id, keys.map(({ row_key }) => row_key)]))
}

function shownReference(ctx: Context, row: NearRow): string[] {
  const { reference_number } = readDocument(row).payment_meta
  return reference_number === null ? [] : [shownReferenceKey(ctx.keys, reference_number)]
}
