import type { Context } from '../../kernel/context.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../../kernel/operation.ts'
import { unknownWallet, updateWallet } from '../../wallets/store.ts'
import { toWallet, toWholeMinor } from '../../wallets/wallet.ts'

export async function sandboxWalletSimulate(
  ctx: Context,
  { body }: SandboxRequestOf<'sandboxWalletSimulate'>,
): Promise<SandboxResponseOf<'sandboxWalletSimulate'>> {
  const { current, available } = body.balance ?? {}
  const wallet = await updateWallet(ctx, body.wallet_id, {
    status: body.status ?? null,
    current: current === undefined ? null : toWholeMinor(current, 'balance.current'),
    available: available === undefined ? null : toWholeMinor(available, 'balance.available'),
  })
  if (!wallet) throw unknownWallet()
  if (wallet.available > wallet.current) {
    const message = '`balance.available` must not be more than the current balance'
    throw new ApiError('INVALID_FIELD', { message })
  }
  return toWallet(wallet, ctx.keys)
}
