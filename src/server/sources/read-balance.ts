const form = /^([-−+]?)(\d[\d.,'’ \u00a0\u202f]*?)(?:([.,])(\d{1,2}))?$/
/** Databases and JSON hold whole numbers up to about this many digits exactly. */
const mostDigits = 13

/**
 * A balance that a person has typed, in minor units. Point and comma both separate decimals, where at
 * most two digits follow; undefined where the text can be read in two ways.
 */
export function readBalance(text: string): number | undefined {
  const [, sign, whole = '', , decimals = ''] = form.exec(text.trim()) ?? []
  if (sign === undefined || !isGrouped(whole)) return undefined
  const digits = whole.replaceAll(/\D/g, '')
  if (digits.length > mostDigits) return undefined
  const minor = Number(`${digits}${decimals.padEnd(2, '0')}`)
  return sign === '-' || sign === '−' ? 0 - minor : minor
}

/** Digits without signs between them, or in groups of three. */
const isGrouped = (whole: string): boolean =>
  /^\d+$/.test(whole) || /^\d{1,3}([.,'’ \u00a0\u202f])\d{3}(?:\1\d{3})*$/.test(whole)
