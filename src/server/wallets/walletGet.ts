import type { Context } from '../context.ts'
import type { RequestOf, ResponseOf } from '../operation.ts'
import { requireWallet } from './store.ts'
import { toWallet } from './wallet.ts'

export async function walletGet(
  ctx: Context,
  { body }: RequestOf<'walletGet'>,
): Promise<ResponseOf<'walletGet'>> {
  return toWallet(await requireWallet(ctx, body.wallet_id), ctx.keys)
}
walletGet.reads = true
