import { invalidField } from '../../kernel/errors.ts'
import type { HandlerOf } from '../../kernel/operation.ts'
import { unknownWallet, updateWallet } from '../../wallets/store.ts'
import { toWallet, toWholeMinor } from '../../wallets/wallet.ts'

export const sandboxWalletSimulate: HandlerOf<'sandboxWalletSimulate'> = async (ctx, { body }) => {
  const { current, available } = body.balance ?? {}
  const wallet = await updateWallet(ctx, body.wallet_id, {
    status: body.status ?? null,
    current: current === undefined ? null : toWholeMinor(current, 'balance.current'),
    available: available === undefined ? null : toWholeMinor(available, 'balance.available'),
  })
  if (!wallet) throw unknownWallet()
  if (wallet.available > wallet.current) {
    throw invalidField('`balance.available` must not be more than the current balance')
  }
  return toWallet(wallet, ctx.keys)
}
