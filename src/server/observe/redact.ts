/** What stands in the place of a secret. */
const mask = '[redacted]'

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

/** The forms of what opens something, wherever they stand in a text. */
const secrets: readonly [pattern: RegExp, replacement: string][] = [
  [
    new RegExp(`\\b(access|public|assets|user)-(sandbox|production)-${uuid}`, 'gi'),
    `$1-$2-${mask}`,
  ],
  [/\bsv[ar]-[\w-]{16,}={0,2}/g, mask],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, mask],
  [/\b(Bearer|Basic) +[\w+/=.~-]+/gi, `$1 ${mask}`],
  // Who calls himself what at which host, and what is asked for there.
  [/\b([a-z][a-z+.-]*:\/\/)[^\s/@"']+@/gi, `$1${mask}@`],
  [/\b(https?:\/\/[^\s?#"']+)[?#][^\s"']*/gi, `$1?${mask}`],
  [
    /\b([a-z_-]*(?:secret|password|token|key|ssn))(["']?\s*[:=]\s*)("[^"]*"|'[^']*'|[^\s,;}]+)/gi,
    `$1$2${mask}`,
  ],
  // Hashes, keys and secrets in hexadecimal; account, routing and card numbers, SSNs.
  [/\b[0-9a-f]{28,}\b/gi, mask],
  [/\b\d{3}-\d{2}-\d{4}\b/g, mask],
  [/(?<![\w.:-])\d{9,19}(?![\w-]|[.:]\d)/g, mask],
  [/\b(?:\d{4}[ -]){3}\d{1,7}\b/g, mask],
  // International bank account numbers.
  [/\b[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,3})?\b/g, mask],
]

/** A text for the log without anything in it that has the form of a secret. */
export const redact = (text: string): string =>
  secrets.reduce((result, [pattern, replacement]) => result.replaceAll(pattern, replacement), text)
