import type { HandlerOf } from '../kernel/operation.ts'
import { checkOriginator } from './originator.ts'
import { listRefunds, requireTransfer } from './store.ts'
import { toTransfer } from './transfer.ts'

export const transferGet: HandlerOf<'transferGet'> = async (ctx, { body }) => {
  const originator = body.originator_client_id ?? null
  if (originator !== null) await checkOriginator(ctx, originator)
  // The contract requires exactly one of the two ids.
  const { transfer_id, authorization_id = '' } = body
  const row =
    transfer_id === undefined
      ? await requireTransfer(ctx, authorization_id, { column: 'authorization_id', originator })
      : await requireTransfer(ctx, transfer_id, { originator })
  const refunds = row.refund_count === 0 ? [] : await listRefunds(ctx, row.transfer_id)
  return { transfer: toTransfer(row, refunds, ctx.now) }
}
transferGet.reads = true
