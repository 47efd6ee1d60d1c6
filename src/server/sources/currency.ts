import type { UnofficialCurrencyCode } from '#contract/closed.ts'
import { UnofficialCurrencyCode as unofficial } from '#contract/enums.ts'
import { RejectedStatement } from './source-file.ts'

/** The two fields for the currency of an amount, one of which is null. */
interface CurrencyFields {
  iso_currency_code: string | null
  unofficial_currency_code: UnofficialCurrencyCode | null
}

/** ISO 4217 has a code for what has no currency. */
const unknown = 'XXX'

/** A code such as `USDC`, or the address of a currency, which is never fetched. */
const otherForms = [/^[A-Z][A-Z0-9]{1,15}$/, /^https?:\/\/[^\s"<>\\^`{|}]{1,248}$/]

/** The currency of a file as the interface says it. */
export function toCurrency(code: string): CurrencyFields {
  if (code === unknown) {
    throw new RejectedStatement('the file does not tell the currency: name it with --currency')
  }
  const isListed = (unofficial as readonly string[]).includes(code)
  // The list of ISO 4217 changes, so only the form of a code is checked.
  if (!isListed && /^[A-Z]{3}$/.test(code)) {
    return { iso_currency_code: code, unofficial_currency_code: null }
  }
  if (isListed || otherForms.some((form) => form.test(code))) {
    // The contract lists the known ones.
    const named = code as UnofficialCurrencyCode
    return { iso_currency_code: null, unofficial_currency_code: named }
  }
  throw new RejectedStatement(
    `the currency must be a code in capital letters such as EUR, or an http or https address, not ${code}`,
  )
}

/** Whether the interface can say the currency. */
export function isCurrency(code: string): boolean {
  try {
    return toCurrency(code) !== undefined
  } catch (error) {
    if (error instanceof RejectedStatement) return false
    throw error
  }
}
