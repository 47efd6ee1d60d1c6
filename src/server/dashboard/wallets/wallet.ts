import type { DashboardWallet } from '../../../../generated/dashboard/closed.ts'
import { toAmount } from '../../kernel/money.ts'
import type { WalletListRow } from './store.ts'

export const toDashboardWallet = (row: WalletListRow): DashboardWallet => ({
  wallet_id: row.wallet_id,
  status: row.status,
  currency: row.iso_currency_code,
  current: toAmount(row.current),
  available: toAmount(row.available),
})
