import type { Wallet, WalletCurrency, WalletNumbers, WalletStatus } from '#contract/closed.ts'
import { invalidField } from '../kernel/errors.ts'
import type { Keys } from '../kernel/keys.ts'
import { isWholeCents, toAmount, toMinor } from '../kernel/money.ts'

/** An e-wallet; money in minor units. */
export interface WalletRow {
  wallet_id: string
  sequence: number
  recipient_id: string
  iso_currency_code: WalletCurrency
  current: number
  available: number
  status: WalletStatus
  /** Encrypted, as the sort code and the IBAN. */
  account: string | null
  sort_code: string | null
  iban: string | null
  bic: string | null
}

function toNumbers(row: WalletRow, keys: Keys): WalletNumbers {
  const { account, sort_code, iban, bic } = row
  const hasBacs = account !== null && sort_code !== null
  const hasIban = iban !== null && bic !== null
  return {
    bacs: hasBacs ? { account: keys.decrypt(account), sort_code: keys.decrypt(sort_code) } : null,
    international: hasIban ? { iban: keys.decrypt(iban), bic } : null,
  }
}

/** A wallet as every operation shows it. Passing known numbers saves decrypting them. */
export const toWallet = (
  row: WalletRow,
  keys: Keys,
  numbers: WalletNumbers = toNumbers(row, keys),
): Wallet => ({
  wallet_id: row.wallet_id,
  balance: {
    iso_currency_code: row.iso_currency_code,
    current: toAmount(row.current),
    available: toAmount(row.available),
  },
  numbers,
  recipient_id: row.recipient_id,
  status: row.status,
})

/** Minor units of a given amount, which must not be finer than they are. */
export function toWholeMinor(amount: number, field: string): number {
  if (isWholeCents(amount)) return toMinor(amount)
  throw invalidField(`\`${field}\` must have at most two decimals`)
}
