import type { AccountBalances } from '#contract/closed.ts'
import type { SandboxBalancesInput } from '../../../../generated/sandbox/closed.ts'
import type { AccountRow } from '../../items/account-store.ts'
import { toLastUpdated } from '../../items/insert-account.ts'
import type { ItemRow } from '../../items/store.ts'
import { invalidField } from '../../kernel/errors.ts'
import { toMinor } from '../../kernel/money.ts'

type Currency = Pick<AccountBalances, 'iso_currency_code' | 'unofficial_currency_code'>

const dollars: Currency = { iso_currency_code: 'USD', unofficial_currency_code: null }

/** An account has one of the two currency codes. The given one replaces the other. */
function toCurrency(
  { iso_currency_code, unofficial_currency_code }: SandboxBalancesInput,
  before: Currency,
): Currency {
  if (unofficial_currency_code) return { iso_currency_code: null, unofficial_currency_code }
  if (iso_currency_code) return { iso_currency_code, unofficial_currency_code: null }
  const after = {
    iso_currency_code: iso_currency_code === null ? null : before.iso_currency_code,
    unofficial_currency_code:
      unofficial_currency_code === null ? null : before.unofficial_currency_code,
  }
  if (after.iso_currency_code !== null || after.unofficial_currency_code !== null) return after
  throw invalidField('`balances` must leave one of the two currency codes')
}

/** The balances of a new account. */
export function toNewBalances(input: SandboxBalancesInput = {}): AccountBalances {
  const { available = null, current = 0, limit = null, last_updated_datetime } = input
  return {
    available,
    current,
    limit,
    ...toCurrency(input, dollars),
    ...(last_updated_datetime ? { last_updated_datetime } : {}),
  }
}

type BalanceColumns = Pick<
  AccountRow,
  | 'available'
  | 'current'
  | 'credit_limit'
  | 'iso_currency_code'
  | 'unofficial_currency_code'
  | 'last_updated_datetime'
>

/** The columns of the given balances. Omitted ones stay unchanged. */
export function toChangedBalances(
  item: ItemRow,
  account: AccountRow,
  input: SandboxBalancesInput,
): BalanceColumns {
  const change = (given: number | null | undefined, before: number | null) =>
    typeof given === 'number' ? toMinor(given) : given === null ? null : before
  const before = {
    iso_currency_code: account.iso_currency_code,
    unofficial_currency_code:
      account.unofficial_currency_code as Currency['unofficial_currency_code'],
  }
  const { last_updated_datetime } = input
  return {
    available: change(input.available, account.available),
    current: input.current === undefined ? account.current : toMinor(input.current),
    credit_limit: change(input.limit, account.credit_limit),
    ...toCurrency(input, before),
    last_updated_datetime:
      last_updated_datetime === undefined
        ? account.last_updated_datetime
        : toLastUpdated(item, last_updated_datetime),
  }
}
