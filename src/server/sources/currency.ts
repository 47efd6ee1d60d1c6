import { UnofficialCurrencyCode } from '#contract/enums.ts'
import { RejectedStatement } from './source-file.ts'

const isUnofficial = (code: string): code is UnofficialCurrencyCode =>
  (UnofficialCurrencyCode as readonly string[]).includes(code)

/** The two fields for the currency of an amount, one of which is null. */
interface CurrencyFields {
  iso_currency_code: string | null
  unofficial_currency_code: UnofficialCurrencyCode | null
}

/** ISO 4217 has a code for what has no currency. */
const unknown = 'XXX'

/** The currency of a file as the interface says it. */
export function toCurrency(code: string): CurrencyFields {
  if (code === unknown) {
    throw new RejectedStatement('the file does not tell the currency: name it with --currency')
  }
  if (isUnofficial(code)) return { iso_currency_code: null, unofficial_currency_code: code }
  if (/^[A-Z]{3}$/.test(code)) return { iso_currency_code: code, unofficial_currency_code: null }
  throw new RejectedStatement(`the currency must be a code of ISO 4217 such as EUR, not ${code}`)
}
