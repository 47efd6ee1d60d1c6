import type { HandlerOf } from '../kernel/operation.ts'
import { requireProvider } from '../kernel/require-provider.ts'
import { insertWallet } from './store.ts'
import { toWallet } from './wallet.ts'
import { toWalletNumbers } from './wallet-numbers.ts'

export const walletCreate: HandlerOf<'walletCreate'> = async (ctx, { body }) => {
  requireProvider(ctx)
  const wallet_id = ctx.newId('wallet')
  const numbers = toWalletNumbers(body.iso_currency_code, wallet_id)
  const wallet = await insertWallet(ctx, {
    wallet_id,
    balance: { iso_currency_code: body.iso_currency_code, current: 0, available: 0 },
    numbers,
    status: 'ACTIVE',
  })
  return toWallet(wallet, ctx.keys, numbers)
}
walletCreate.single = true
