import type { Context } from '../kernel/context.ts'
import type { RequestOf, ResponseOf } from '../kernel/operation.ts'
import { checkOriginator } from './originator.ts'
import type { TransferRow } from './rows.ts'
import { listRefunds, requireTransfer, requireTransferOfAuthorization } from './store.ts'
import { toTransfer } from './transfer.ts'

type Body = RequestOf<'transferGet'>['body']

export async function transferGet(
  ctx: Context,
  { body }: RequestOf<'transferGet'>,
): Promise<ResponseOf<'transferGet'>> {
  const originator = body.originator_client_id ?? null
  if (originator !== null) await checkOriginator(ctx, originator)
  const row = await requireNamed(ctx, body, originator)
  const refunds = row.refund_count === 0 ? [] : await listRefunds(ctx, row.transfer_id)
  return { transfer: toTransfer(row, refunds, ctx.now) }
}
transferGet.reads = true

/** The contract requires exactly one of the two ids. */
const requireNamed = (ctx: Context, body: Body, originator: string | null): Promise<TransferRow> =>
  body.transfer_id === undefined
    ? requireTransferOfAuthorization(ctx, body.authorization_id ?? '', originator)
    : requireTransfer(ctx, body.transfer_id, originator)
