import type { TransactionsAccount } from '../../../generated/2020-09-14/types.ts'
import type { Context } from '../context.ts'
import { findInstitution } from '../institutions/store.ts'
import { toAccount } from '../items/account.ts'
import type { AccountRow, ItemRow } from '../items/store.ts'

type Kind = Pick<AccountRow, 'type' | 'subtype'>

/** Whether an account can have transactions; mortgages can at Canadian institutions. */
export function canHaveTransactions({ type, subtype }: Kind, isCanadian: boolean): boolean {
  if (type === 'loan') return subtype === 'student' || (isCanadian && subtype === 'mortgage')
  return type === 'depository' || type === 'credit'
}

/** Those of an Item's accounts that can have transactions. */
export async function selectSupported<Account extends Kind>(
  ctx: Context,
  item: Pick<ItemRow, 'institution_id'>,
  accounts: readonly Account[],
): Promise<Account[]> {
  const isCanadian = await isAtCanadianInstitution(ctx, item)
  return accounts.filter((account) => canHaveTransactions(account, isCanadian))
}

async function isAtCanadianInstitution(
  ctx: Context,
  { institution_id }: Pick<ItemRow, 'institution_id'>,
): Promise<boolean> {
  if (institution_id === null) return false
  const institution = await findInstitution(ctx, institution_id)
  return institution !== undefined && JSON.parse(institution.country_codes).includes('CA')
}

/** An account that can have transactions, as answers about them show it. */
export const toTransactionsAccount = (row: AccountRow): TransactionsAccount =>
  toAccount(row) as TransactionsAccount
