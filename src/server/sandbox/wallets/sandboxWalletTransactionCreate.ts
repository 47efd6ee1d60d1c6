import type { Context } from '../../kernel/context.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../../kernel/operation.ts'
import { moveMoney, requireWallet } from '../../wallets/store.ts'
import { toWallet, toWholeMinor } from '../../wallets/wallet.ts'

export async function sandboxWalletTransactionCreate(
  ctx: Context,
  { body }: SandboxRequestOf<'sandboxWalletTransactionCreate'>,
): Promise<SandboxResponseOf<'sandboxWalletTransactionCreate'>> {
  const amount = toWholeMinor(body.amount, 'amount')
  const moved = await moveMoney(ctx, body.wallet_id, amount)
  if (moved) return toWallet(moved, ctx.keys)
  const { status } = await requireWallet(ctx, body.wallet_id)
  const message =
    status === 'ACTIVE'
      ? '`amount` must not take out more than is available'
      : '`wallet_id` must be the id of an active wallet'
  throw new ApiError('INVALID_FIELD', { message })
}
