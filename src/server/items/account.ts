import type {
  Account,
  AccountBalances,
  AccountKind,
  VerificationInsights,
} from '#contract/closed.ts'
import { ApiError } from '../kernel/errors.ts'
import { toAmount } from '../kernel/money.ts'
import type { ShownAccountRow } from './account-store.ts'

const toNullable = (minor: number | null): number | null =>
  minor === null ? null : toAmount(minor)

export const toBalances = (row: ShownAccountRow): AccountBalances => ({
  available: toNullable(row.available),
  current: toAmount(row.current),
  limit: toNullable(row.credit_limit),
  iso_currency_code: row.iso_currency_code,
  unofficial_currency_code:
    row.unofficial_currency_code as AccountBalances['unofficial_currency_code'],
  ...(row.last_updated_datetime === null
    ? {}
    : { last_updated_datetime: row.last_updated_datetime }),
})

/** An account as `/accounts/get` shows it. */
export const toAccount = (row: ShownAccountRow): Account => ({
  account_id: row.account_id,
  balances: toBalances(row),
  mask: row.mask,
  name: row.name,
  official_name: row.official_name,
  // Rows contain only combinations that the contract allows.
  ...({ type: row.type, subtype: row.subtype } as AccountKind),
  ...(row.verification_status === null ? {} : { verification_status: row.verification_status }),
  ...(row.verification_name === null ? {} : { verification_name: row.verification_name }),
  ...(row.verification_insights === null
    ? {}
    : { verification_insights: JSON.parse(row.verification_insights) as VerificationInsights }),
  ...(row.persistent_account_id === null
    ? {}
    : { persistent_account_id: row.persistent_account_id }),
  ...(row.holder_category === null ? {} : { holder_category: row.holder_category }),
})

const debitable: readonly unknown[] = ['checking', 'savings', 'cash management']

/** Whether accounts of a type support withdrawals. Only such accounts are verified. */
export const isDebitable = ({ type, subtype }: { type: string; subtype: string | null }): boolean =>
  type === 'depository' && debitable.includes(subtype)

/**
 * The accounts that `options.account_ids` selects, in the Item's order. Without the option all
 * accounts. An id that is not among them is an error.
 */
export function selectAccounts<Row extends Pick<ShownAccountRow, 'account_id'>>(
  accounts: readonly Row[],
  accountIds: readonly string[] | undefined,
  fieldOf = (index: number) => `options.account_ids[${index}]`,
): Row[] {
  if (accounts.length === 0) throw new ApiError('NO_ACCOUNTS')
  if (!accountIds || accountIds.length === 0) return [...accounts]
  const known = new Set(accounts.map((account) => account.account_id))
  const unknown = accountIds.findIndex((id) => !known.has(id))
  if (unknown >= 0) {
    const message = `\`${fieldOf(unknown)}\` does not belong to the Item`
    throw new ApiError('INVALID_ACCOUNT_ID', { message })
  }
  return accounts.filter((account) => accountIds.includes(account.account_id))
}
