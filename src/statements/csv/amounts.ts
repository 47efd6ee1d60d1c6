import { InvalidValue, negate, toAmount } from '../values.ts'

interface AmountForm {
  decimal: '.' | ','
  thousands?: '.' | ',' | ' ' | "'" | undefined
}

/** The spaces and apostrophes that banks put between groups of digits. */
const spaces = /[\s\u00a0\u2007\u202f]/g
const apostrophes = /[\u2019\u00b4`]/g
const minuses = /[\u2212\u2013]/g

/** An amount without what stands around it: a currency, and a minus sign after it or brackets. */
export function bare(text: string): { digits: string; isNegative: boolean } {
  const written = text.trim().replace(minuses, '-').replace(apostrophes, "'").replace(spaces, ' ')
  const inBrackets = /^\((.*)\)$/.exec(written)?.[1]
  const [, before = '', digits = '', after = ''] =
    /^([^\d.,]*)(.*?)([^\d.,]*)$/s.exec(inBrackets ?? written) ?? []
  const around = `${before}${after}`.replace(/\p{Sc}|[A-Za-z]{1,3}\.?| /gu, '')
  if (!/^[+-]?$/.test(around)) return { digits: written, isNegative: false }
  return { digits, isNegative: around === '-' || inBrackets !== undefined }
}

/** Reads amounts as a bank writes them; `name` is that of their column. */
export function amountReader({ decimal, thousands }: AmountForm) {
  const grouped = thousands && new RegExp(`^\\d{1,3}(\\${thousands}\\d{3})+(\\D\\d*)?$`)
  const example = `12${decimal}50${thousands ? ` or 1${thousands}234${decimal}50` : ''}`
  return (text: string, name: string): string => {
    const { digits, isNegative } = bare(text)
    const joined = thousands && grouped?.test(digits) ? digits.replaceAll(thousands, '') : digits
    if (!/^\d*\D?\d*$/.test(joined) || /[^\d]/.exec(joined.replace(decimal, ''))) {
      throw new InvalidValue('INVALID_AMOUNT', `${name} must be a number such as ${example}`)
    }
    const amount = toAmount(joined.replace(decimal, '.'), name)
    return isNegative ? negate(amount) : amount
  }
}
