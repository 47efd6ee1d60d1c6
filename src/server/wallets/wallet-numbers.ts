import { createHash } from 'node:crypto'
import type { WalletCurrency, WalletNumbers } from '#contract/closed.ts'

const [bankOfPounds, bankOfEuros] = ['60', '99']
const [irishBank, bic] = ['TWLB', 'TWLBIE2D']

/** Digits that follow from a seed. */
const toDigits = (seed: string, count: number): string => {
  const number = BigInt(`0x${createHash('sha256').update(seed).digest('hex')}`)
  return String(number % 10n ** BigInt(count)).padStart(count, '0')
}

/**
 * The weighted sum that the account numbers of most UK banks make a multiple of eleven: the first
 * digit counts eight times, the last one once.
 */
export const weighAccount = (account: string): number =>
  [...account].reduce((sum, digit, index) => sum + Number(digit) * (8 - index), 0)

/** An account number of eight digits: the first seven and their check digit, if they have one. */
function toAccount(seven: string): string {
  const check = (11 - (weighAccount(`${seven}0`) % 11)) % 11
  if (check < 10) return `${seven}${check}`
  return toAccount(String((Number(seven) + 1) % 10_000_000).padStart(7, '0'))
}

/** The rest by 97 of an IBAN, or of what is to become one; it is 1 when the check digits fit. */
export function restOfIban(iban: string): number {
  const moved = iban.slice(4) + iban.slice(0, 4)
  const digits = [...moved].map((character) => Number.parseInt(character, 36)).join('')
  return Number(BigInt(digits) % 97n)
}

function toIban(country: string, account: string): string {
  const check = String(98 - restOfIban(`${country}00${account}`)).padStart(2, '0')
  return `${country}${check}${account}`
}

/** The account numbers of a wallet: those of a UK account for pounds, an IBAN for euros. */
export function toWalletNumbers(currency: WalletCurrency, seed: string): WalletNumbers {
  const branch = toDigits(`branch of ${seed}`, 4)
  const account = toAccount(toDigits(`account of ${seed}`, 7))
  if (currency === 'GBP') {
    return { bacs: { account, sort_code: `${bankOfPounds}${branch}` }, international: null }
  }
  const iban = toIban('IE', `${irishBank}${bankOfEuros}${branch}${account}`)
  return { bacs: null, international: { iban, bic } }
}
