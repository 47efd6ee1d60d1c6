/** What stands in the place of a secret. */
const mask = '[redacted]'

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

type Rule = readonly [pattern: RegExp, replacement: string | ((match: string) => string)]

/**
 * The forms of credentials and of personal numbers, wherever they stand in a text. Callers choose
 * parts of the text, so each pattern takes linear time: no
 * pattern reads a run of characters again from each of its places.
 */
const secrets: readonly Rule[] = [
  [
    new RegExp(`\\b(access|public|assets|user|link)-(sandbox|production)-${uuid}`, 'gi'),
    `$1-$2-${mask}`,
  ],
  [/\bsv[ar]-[\w-]{16,}={0,2}/g, mask],
  // The lookahead finds both dots first, so that each run is read once, however often it has `eyJ`.
  [/(?<![\w-])(?=[\w-]+\.[\w-]+\.)([\w-]*?\b)eyJ[\w-]+\.[\w-]+\.[\w-]*/g, `$1${mask}`],
  [/\b(Bearer|Basic) +[\w+/=.~-]+/gi, `$1 ${mask}`],
  // User and password of an address, and its query.
  [/(?<=:\/\/)[^\s/@"']+@/g, `${mask}@`],
  [/\bhttps?:\/\/[^\s"']+/gi, withoutQuery],
  [
    /((?:secret|password|token|key|ssn)["']?\s*[:=]\s*)(?:"[^"]*"|'[^']*'|[^\s,;}]+)/gi,
    `$1${mask}`,
  ],
  // Hashes, keys and secrets in hexadecimal; account, routing and card numbers, SSNs.
  [/\b[0-9a-f]{28,}\b/gi, mask],
  [/\b\d{3}-\d{2}-\d{4}\b/g, mask],
  [/(?<![\w.:-])\d{9,19}(?![\w-]|[.:]\d)/g, mask],
  [/\b(?:\d{4}[ -]){3}\d{1,7}\b/g, mask],
  // International bank account numbers.
  [/\b[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,3})?\b/g, mask],
]

function withoutQuery(address: string): string {
  const query = address.search(/[?#]/)
  return query < 0 ? address : `${address.slice(0, query)}?${mask}`
}

/** A text for the log without anything in it that has the form of a secret. */
export const redact = (text: string): string =>
  secrets.reduce(
    (result, [pattern, replacement]) => result.replaceAll(pattern, replacement as string),
    text,
  )
