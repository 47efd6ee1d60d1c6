import type { HandlerOf } from '../kernel/operation.ts'
import { requireWallet } from './store.ts'
import { toWallet } from './wallet.ts'

export const walletGet: HandlerOf<'walletGet'> = async (ctx, { body }) => {
  return toWallet(await requireWallet(ctx, body.wallet_id), ctx.keys)
}
walletGet.reads = true
walletGet.single = true
