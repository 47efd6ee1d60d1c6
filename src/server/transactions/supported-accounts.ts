import type { TransactionsAccount } from '#contract/closed.ts'
import { findInstitution } from '../institutions/store.ts'
import { toAccount } from '../items/account.ts'
import type { AccountRow, ShownAccountRow } from '../items/account-store.ts'
import type { ItemRow } from '../items/store.ts'
import type { Context } from '../kernel/context.ts'

type Kind = Pick<AccountRow, 'type' | 'subtype'>

const isMortgage = ({ type, subtype }: Kind): boolean => type === 'loan' && subtype === 'mortgage'

/** Whether an account can have transactions; mortgages can at Canadian institutions. */
export function canHaveTransactions({ type, subtype }: Kind, isCanadian: boolean): boolean {
  if (isMortgage({ type, subtype })) return isCanadian
  if (type === 'loan') return subtype === 'student'
  return type === 'depository' || type === 'credit'
}

/** The accounts of an Item that can have transactions. */
export async function selectSupported<Account extends Kind>(
  ctx: Context,
  item: Pick<ItemRow, 'institution_id'>,
  accounts: readonly Account[],
): Promise<Account[]> {
  // The institution's country matters only for mortgages.
  const isCanadian = accounts.some(isMortgage) && (await isAtCanadianInstitution(ctx, item))
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

/** An account that can have transactions, as responses show it. */
export const toTransactionsAccount = (row: ShownAccountRow): TransactionsAccount =>
  toAccount(row) as TransactionsAccount
