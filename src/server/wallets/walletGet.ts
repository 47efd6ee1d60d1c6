import type { Context } from '../kernel/context.ts'
import type { RequestOf, ResponseOf } from '../kernel/operation.ts'
import { requireWallet } from './store.ts'
import { toWallet } from './wallet.ts'

export async function walletGet(
  ctx: Context,
  { body }: RequestOf<'walletGet'>,
): Promise<ResponseOf<'walletGet'>> {
  return toWallet(await requireWallet(ctx, body.wallet_id), ctx.keys)
}
walletGet.reads = true
walletGet.single = true
