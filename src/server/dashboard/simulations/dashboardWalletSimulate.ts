import { ApiError } from '../../kernel/errors.ts'
import { toAmount } from '../../kernel/money.ts'
import { sandboxWalletSimulate } from '../../sandbox/wallets/sandboxWalletSimulate.ts'
import { findWallet } from '../../wallets/store.ts'
import type { WalletRow } from '../../wallets/wallet.ts'
import { auditPage } from '../audit-page.ts'
import type { PageHandler } from '../page-handler.ts'

export const dashboardWalletSimulate: PageHandler<'dashboardWalletSimulate'> = async (
  ctx,
  { body },
) => {
  const { wallet_id } = body
  const before = await findWallet(ctx, wallet_id)
  if (!before) throw new ApiError('OBJECT_NOT_FOUND')
  const { status, balance } = await sandboxWalletSimulate(ctx, { body })
  const { current, available } = balance
  await auditPage(ctx, 'wallet.simulate', wallet_id, {
    before: stateOf(before),
    after: { status, current, available },
  })
  return {}
}

const stateOf = ({ status, current, available }: WalletRow) => ({
  status,
  current: toAmount(current),
  available: toAmount(available),
})
