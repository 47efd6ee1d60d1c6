import type { Context } from '../kernel/context.ts'
import type { RequestOf, ResponseOf } from '../kernel/operation.ts'
import { insertWallet } from './store.ts'
import { toWallet } from './wallet.ts'
import { toWalletNumbers } from './wallet-numbers.ts'

export async function walletCreate(
  ctx: Context,
  { body }: RequestOf<'walletCreate'>,
): Promise<ResponseOf<'walletCreate'>> {
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
