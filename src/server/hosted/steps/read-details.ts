import type { AccountKind } from '#contract/closed.ts'
import { toDecimal } from '../../kernel/money.ts'
import type { FoundAccount } from '../../sources/connector.ts'
import { isInUse } from '../../sources/currencies-in-use.ts'
import { isIban, meansIban } from '../../sources/iban.ts'
import { readBalance } from '../../sources/read-balance.ts'
import type { AnsweredKind } from '../connection.ts'
import type { Texts } from '../texts/texts.ts'
import type { FieldError } from '../visit.ts'

/** The kinds that the page offers: those whose transactions the interface has. */
export const kinds = {
  checking: { type: 'depository', subtype: 'checking' },
  savings: { type: 'depository', subtype: 'savings' },
  card: { type: 'credit', subtype: 'credit card' },
  market: { type: 'depository', subtype: 'money market' },
  cash: { type: 'depository', subtype: 'cash management' },
  prepaid: { type: 'depository', subtype: 'prepaid' },
  term: { type: 'depository', subtype: 'cd' },
} as const satisfies Record<keyof Texts['details']['kinds'], AccountKind>

export type KindName = keyof typeof kinds

/** The choice that leaves an account out. */
export const unshared = 'none'

/** What the form says of an account, and what is wrong with it. */
export function readDetails({ details }: Texts, account: FoundAccount, form: URLSearchParams) {
  const { id, kind, lacksBalance, lacksNumber, lacksCurrency } = account
  const wrong: FieldError[] = []
  const answered: AnsweredKind = {}
  const given = (name: string) => (form.get(`${name}-${id}`) ?? '').trim()
  const reject = (name: string, text: string) => wrong.push({ field: `${name}-${id}`, text })
  const wanted = given('kind')
  // Nothing else needs to be known of an account that stays out.
  if (kind === null && wanted === unshared) return { answered, wrong }
  if (kind === null) {
    if (Object.hasOwn(kinds, wanted)) answered.kind = kinds[wanted as KindName]
    else reject('kind', details.noKind)
  }
  if (lacksNumber) {
    const number = given('number')
      .replaceAll(/[\s./-]/g, '')
      .toUpperCase()
    if (!isNumber(number)) reject('number', details.noNumber)
    else if (meansIban(number) && !isIban(number)) reject('number', details.wrongIban)
    else answered.number = number
  }
  if (lacksCurrency) {
    const currency = given('currency').toUpperCase()
    if (currency === '') reject('currency', details.noCurrency)
    else if (!isInUse(currency)) reject('currency', details.wrongCurrency)
    else answered.currency = currency
  }
  if (lacksBalance) {
    const balance = readBalance(given('balance'))
    if (balance === undefined) reject('balance', details.noBalance)
    else answered.balance = balance
  }
  return { answered, wrong }
}

const isNumber = (text: string): boolean => /^(?=.*\d)[A-Z0-9]{4,34}$/.test(text)

/** What was answered before, as it stands in the fields of the form. */
export function toTyped(
  { details }: Texts,
  { kind, number, currency, balance }: AnsweredKind,
): Record<string, string> {
  const [name] = Object.entries(kinds).find(([, one]) => one.subtype === kind?.subtype) ?? []
  return {
    kind: name ?? unshared,
    number: number ?? '',
    currency: currency ?? '',
    balance: balance === undefined ? '' : details.typedBalance(toDecimal(balance)),
  }
}
