import type { SourceAccount } from '../../statements/statement.ts'

/** Where bank and account stand in the IBANs of countries whose files also name accounts without one. */
const ibanParts: Readonly<Record<string, { bank: [number, number]; account: [number, number] }>> = {
  AT: { bank: [4, 9], account: [9, 20] },
  BE: { bank: [4, 7], account: [7, 16] },
  CH: { bank: [4, 9], account: [9, 21] },
  DE: { bank: [4, 12], account: [12, 22] },
  ES: { bank: [4, 12], account: [14, 24] },
  FR: { bank: [4, 14], account: [14, 25] },
  GB: { bank: [8, 14], account: [14, 22] },
  NL: { bank: [4, 8], account: [8, 18] },
}

const plain = (text: string): string => text.toUpperCase().replace(/[^A-Z0-9]/g, '')
const number = (text: string): string => plain(text).replace(/^0+(?=.)/, '')

/** The number of an account, without the currency that some banks write after it. */
const accountNumber = (text: string, currency: string): string => {
  const bare = number(text)
  return bare.endsWith(currency) ? bare.slice(0, 0 - currency.length) : bare
}

const isIban = (text: string): boolean => /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text)

/**
 * The names by which an account is recognized in files of any format: its IBAN, and its bank and
 * number. Accounts in several currencies share their number, so the currency is a part of each.
 */
export function namesOf(account: SourceAccount): string[] {
  const { currency, bank_id = '' } = account
  const given = plain(account.iban ?? account.id)
  const iban = isIban(given) ? given : undefined
  const named = (...parts: string[]) => [...parts, currency].join('\n')
  const own = iban ? [] : [named('number', number(bank_id), accountNumber(account.id, currency))]
  if (!iban) return own
  const parts = ibanParts[iban.slice(0, 2)]
  return [
    named('iban', iban),
    ...(parts
      ? [named('number', number(iban.slice(...parts.bank)), number(iban.slice(...parts.account)))]
      : []),
  ]
}

/**
 * The name of an account by its number alone. Files that leave out the bank are recognized by it,
 * within an Item; undefined where an IBAN does not show its number.
 */
export function bareNameOf(account: SourceAccount): string | undefined {
  const numbered = namesOf(account).find((name) => name.startsWith('number\n'))
  const [, , own, currency] = numbered?.split('\n') ?? []
  return own === undefined ? undefined : ['bare', own, currency].join('\n')
}

/** The name that the account has where a file left out its bank. */
export const banklessNameOf = (account: SourceAccount): string | undefined =>
  bareNameOf(account)?.replace(/^bare\n/, 'number\n\n')

/** Whether a file names the bank of the account. */
export const hasBank = (account: SourceAccount): boolean =>
  namesOf(account).every((name) => !name.startsWith('number\n\n'))

/** The last digits, by which people know an account. */
export const maskOf = ({ iban, id, currency }: SourceAccount): string | null =>
  accountNumber(iban ?? id, currency).slice(-4) || null
