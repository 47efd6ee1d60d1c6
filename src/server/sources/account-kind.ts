import type { AccountKind as Kind } from '#contract/closed.ts'
import { AccountKind } from '../../../generated/account-kinds/validators/account-kind.js'
import type { SourceAccount } from '../../statements/statement.ts'

/** What files call the kinds of accounts: OFX ACCTTYPE, and CAMT's codes of cash accounts. */
const kinds: Readonly<Record<string, { type: string; subtype: string }>> = {
  CHECKING: { type: 'depository', subtype: 'checking' },
  SAVINGS: { type: 'depository', subtype: 'savings' },
  MONEYMRKT: { type: 'depository', subtype: 'money market' },
  CD: { type: 'depository', subtype: 'cd' },
  CREDITCARD: { type: 'credit', subtype: 'credit card' },
  CACC: { type: 'depository', subtype: 'checking' },
  TRAN: { type: 'depository', subtype: 'checking' },
  SVGS: { type: 'depository', subtype: 'savings' },
  MOMA: { type: 'depository', subtype: 'money market' },
  CARD: { type: 'credit', subtype: 'credit card' },
}

/** The kind of an account, as far as its file tells it, or the mapping of the file. */
export const kindOf = ({ type, subtype }: SourceAccount): Kind | undefined => {
  const pair = toKind({ type: type?.toLowerCase(), subtype: subtype?.toLowerCase() })
  return pair ?? toKind(kinds[type?.toUpperCase() ?? ''])
}

/** One of the contract's pairs; undefined for another. */
export const toKind = (pair: unknown): Kind | undefined =>
  AccountKind.is(pair) ? (pair as Kind) : undefined

/** Whether a positive balance of the account means that its holder owes money. */
export const isOwed = (type: string): boolean => type === 'credit' || type === 'loan'

/** What the account is called until its holder names it. */
export function nameOf({ type, subtype }: Kind, mask: string | null): string {
  const name = subtype ?? type
  return [name.charAt(0).toUpperCase() + name.slice(1), ...(mask === null ? [] : [mask])].join(' ')
}
