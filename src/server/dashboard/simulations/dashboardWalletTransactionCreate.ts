import { ApiError } from '../../kernel/errors.ts'
import { sandboxWalletTransactionCreate } from '../../sandbox/wallets/sandboxWalletTransactionCreate.ts'
import { findWallet } from '../../wallets/store.ts'
import { auditPage } from '../audit-page.ts'
import type { PageHandler } from '../page-handler.ts'

export const dashboardWalletTransactionCreate: PageHandler<
  'dashboardWalletTransactionCreate'
> = async (ctx, { body }) => {
  const { wallet_id, amount } = body
  if (!(await findWallet(ctx, wallet_id))) throw new ApiError('OBJECT_NOT_FOUND')
  await sandboxWalletTransactionCreate(ctx, { body: { wallet_id, amount } })
  await auditPage(ctx, 'wallet.move', wallet_id, { amount })
  return {}
}
