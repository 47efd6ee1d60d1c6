import type { Context } from '../kernel/context.ts'
import { fromDecimal, toDecimal } from '../kernel/money.ts'
import { isOwed } from './account-kind.ts'
import {
  type AccountAnswers,
  RejectedStatement,
  type SourceStatement,
  type StagedRow,
} from './source-file.ts'
import { putSigns, type SourceAccountRow } from './store.ts'

/** The sign of an amount in a file. */
export type Sign = 'negative' | 'positive'

/**
 * The signs that a file gives to what is owed on a card or a loan, and to the bookings that add to it.
 * Both are negative from the view of the account's holder. Banks contradict each other.
 */
export interface Signs {
  debt?: Sign | undefined
  charges?: Sign | undefined
}

/** What an operator has said of an account, by format. */
type SignsByFormat = Readonly<Record<string, Signs>>

/** What counts of a statement, and what is to be stored of it. */
export interface Decided {
  signs: Required<Signs>
  /** Undefined where nothing has changed. */
  stored: SignsByFormat | undefined
  /** Whether the operator has changed what counts. */
  isChange: boolean
}

const usual = { debt: 'negative', charges: 'negative' } as const

/**
 * The signs of a statement: those that the import names, or those stored with the account, or those
 * of the institution. Accounts on which nothing can be owed have the usual ones.
 */
export function decideSigns(
  type: string,
  format: string,
  row: Pick<SourceAccountRow, 'signs'> | undefined,
  { signs: given = {}, usualSigns = {} }: Pick<AccountAnswers, 'signs' | 'usualSigns'>,
): Decided {
  if (!isOwed(type)) return { signs: usual, stored: undefined, isChange: false }
  const all = toSignsByFormat(row?.signs)
  const before = { ...usual, ...usualSigns, ...all[format] }
  const signs = { ...before, ...given }
  const isChange = signs.debt !== before.debt || signs.charges !== before.charges
  const own = { ...all[format], ...given }
  const stored = Object.keys(given).length === 0 ? undefined : { ...all, [format]: own }
  return { signs, stored, isChange }
}

export const toSignsByFormat = (text: string | null | undefined): SignsByFormat =>
  JSON.parse(text ?? '{}')

/** Stores what an operator has said of an account. */
export async function storeSigns(
  ctx: Context,
  account: { item_id: string; account_key: number },
  { stored }: Decided,
): Promise<void> {
  if (stored) await putSigns(ctx, { ...account, signs: JSON.stringify(stored) })
}

/** The statement from the view of the account's holder, as its rows also are. */
export function toHolderView(statement: SourceStatement, signs: Required<Signs>): SourceStatement {
  const { balances, posted, rows } = statement
  const isDebtPositive = signs.debt === 'positive'
  const isChargePositive = signs.charges === 'positive'
  if (!isDebtPositive && !isChargePositive) return statement
  return {
    ...statement,
    // What is available on a card is no debt.
    balances: balances.map((one) =>
      isDebtPositive && one.type !== 'available' ? { ...one, amount: negate(one.amount) } : one,
    ),
    posted: isChargePositive ? 0 - posted : posted,
    rows: async (part, parts) => {
      const told = await rows(part, parts)
      return isChargePositive ? told.map(reverse) : told
    },
  }
}

const reverse = (row: StagedRow): StagedRow => ({
  ...row,
  amount: negate(row.amount),
  toldAmount: row.amount,
})

const negate = (amount: string): string => toDecimal(0 - fromDecimal(amount))

/** Rejects a statement whose balances do not fit its rows. */
export function rejectDifference(type: string, { balances, posted }: SourceStatement): void {
  const opening = balances.find((one) => one.type === 'opening')
  const closing = balances.findLast((one) => one.type === 'closing' && !one.interim)
  if (!opening || !closing) return
  const before = fromDecimal(opening.amount)
  const sum = before + posted
  const difference = fromDecimal(closing.amount) - sum
  if (difference === 0) return
  const isReversed = isOwed(type) && fromDecimal(closing.amount) === before - posted
  const hint = '; they add up if the file gives debts or charges the other sign: --debt, --charges'
  throw new RejectedStatement(
    `the opening balance of ${opening.amount} and the bookings make ${toDecimal(sum)}, but the closing balance is ${closing.amount}: ${toDecimal(difference)} is missing${isReversed ? hint : ''}`,
  )
}
