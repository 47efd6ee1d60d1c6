import type { SourceAccount } from '../../statements/statement.ts'

/**
 * Where bank and account stand in the IBANs of countries whose files also name accounts without one.
 * A bank with branches is both codes. Missing are countries that write an account in another way than
 * its IBAN has it, such as Sweden.
 */
const ibanParts: Readonly<Record<string, { bank: [number, number]; account: [number, number] }>> = {
  AT: { bank: [4, 9], account: [9, 20] },
  BE: { bank: [4, 7], account: [7, 16] },
  CH: { bank: [4, 9], account: [9, 21] },
  CY: { bank: [4, 12], account: [12, 28] },
  CZ: { bank: [4, 8], account: [8, 24] },
  DE: { bank: [4, 12], account: [12, 22] },
  DK: { bank: [4, 8], account: [8, 18] },
  ES: { bank: [4, 12], account: [14, 24] },
  // Written with its bank.
  FI: { bank: [4, 7], account: [4, 18] },
  // Without the two digits of its key.
  FR: { bank: [4, 14], account: [14, 25] },
  GB: { bank: [8, 14], account: [14, 22] },
  GR: { bank: [4, 11], account: [11, 27] },
  HR: { bank: [4, 11], account: [11, 21] },
  IE: { bank: [8, 14], account: [14, 22] },
  // After a letter that checks the rest.
  IT: { bank: [5, 15], account: [15, 27] },
  LI: { bank: [4, 9], account: [9, 21] },
  LT: { bank: [4, 9], account: [9, 20] },
  LU: { bank: [4, 7], account: [7, 20] },
  MC: { bank: [4, 14], account: [14, 25] },
  NL: { bank: [4, 8], account: [8, 18] },
  // Written with its bank.
  NO: { bank: [4, 8], account: [4, 15] },
  PL: { bank: [4, 12], account: [12, 28] },
  PT: { bank: [4, 12], account: [12, 23] },
  SK: { bank: [4, 8], account: [8, 24] },
  SM: { bank: [5, 15], account: [15, 27] },
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
  if (account.opaque !== undefined) return opaqueNamesOf(account)
  const { currency, bank_id = '', branch_id = '' } = account
  const given = plain(account.iban ?? account.id)
  const iban = isIban(given) ? given : undefined
  const named = (...parts: string[]) => [...parts, currency].join('\n')
  if (!iban) {
    const bank = number(plain(bank_id) + plain(branch_id))
    return [named('number', bank, accountNumber(account.id, currency))]
  }
  const parts = ibanParts[iban.slice(0, 2)]
  return [
    named('iban', iban),
    ...(parts
      ? [named('number', number(iban.slice(...parts.bank)), number(iban.slice(...parts.account)))]
      : []),
  ]
}

/** The id of a source is compared as it is, whatever the currency. The bank may get another name. */
const opaqueNamesOf = ({ id, bank_id = '', opaque }: SourceAccount): string[] => [
  ...(opaque === 'own' ? [['opaque', id].join('\n')] : []),
  ['opaque', id, bank_id].join('\n'),
]

/**
 * The name of an account by its number alone. Files that leave out the bank are recognized by it,
 * within an Item; undefined where an IBAN does not show its number.
 */
export function bareNameOf(account: SourceAccount): string | undefined {
  const numbered = namesOf(account).find((name) => name.startsWith('number\n'))
  const [, , own, currency] = numbered?.split('\n') ?? []
  return own === undefined ? undefined : ['bare', own, currency].join('\n')
}

/**
 * The names that the account may have where one of two files left out its bank or branch. They are
 * less sure than its own, so they count where those lead to no account.
 */
export function alikeNamesOf(account: SourceAccount): string[] {
  const bare = bareNameOf(account)
  if (bare === undefined) return []
  if (!hasBank(account)) return [bare]
  const { branch_id, ...others } = account
  return [bare.replace(/^bare\n/, 'number\n\n'), ...(branch_id ? namesOf(others) : [])]
}

/** Whether a file names the bank of the account. */
const hasBank = (account: SourceAccount): boolean =>
  namesOf(account).every((name) => !name.startsWith('number\n\n'))

/** Shorter numbers stand in many IBANs by chance. */
const leastDigits = 6

/** Whether the number of one account stands in the IBAN of the other, so that both may be one. */
export function mayBeOne(one: string, other: string): boolean {
  const both = [plain(one), plain(other)]
  const [iban, second] = both.filter(isIban)
  const digits = number(both.find((text) => !isIban(text)) ?? '')
  if (iban === undefined || second !== undefined) return false
  return digits.length >= leastDigits && iban.slice('DE00'.length).includes(digits)
}

/** The last digits, by which people know an account. */
export const maskOf = ({ iban, id, currency, opaque, mask }: SourceAccount): string | null =>
  opaque === undefined ? accountNumber(iban ?? id, currency).slice(-4) || null : (mask ?? null)
