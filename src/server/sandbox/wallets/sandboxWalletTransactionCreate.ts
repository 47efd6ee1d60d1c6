import { invalidField } from '../../kernel/errors.ts'
import type { HandlerOf } from '../../kernel/operation.ts'
import { moveMoney, requireWallet } from '../../wallets/store.ts'
import { toWallet, toWholeMinor } from '../../wallets/wallet.ts'

export const sandboxWalletTransactionCreate: HandlerOf<'sandboxWalletTransactionCreate'> = async (
  ctx,
  { body },
) => {
  const amount = toWholeMinor(body.amount, 'amount')
  const moved = await moveMoney(ctx, body.wallet_id, amount)
  if (moved) return toWallet(moved, ctx.keys)
  const { status } = await requireWallet(ctx, body.wallet_id)
  throw invalidField(
    status === 'ACTIVE'
      ? '`amount` must not take out more than is available'
      : '`wallet_id` must be the id of an active wallet',
  )
}
