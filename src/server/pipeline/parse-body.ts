import { type Flaw, findFlaw, maximumKeys, maximumLevels } from '../../scan-json.ts'
import { ApiError } from '../kernel/errors.ts'
import { describeMistake } from './json-mistake.ts'

/** The largest body that is read, in bytes. */
export const maximumBody = 1024 * 1024

export type Body = Record<string, unknown>

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses a JSON or form body into an object. `mediaTypes` are those that the operation accepts.
 * `describeEmpty` tells what an empty object lacks; an empty body is told the same.
 */
export function parseBody(
  bytes: Uint8Array,
  contentType: string | undefined,
  mediaTypes: readonly string[],
  describeEmpty: () => string = () => '',
): Body {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';')
  const mediaType = type.trim()
  if (mediaType === '') {
    const message = `the header \`Content-Type\` must be ${mediaTypes.join(' or ')}`
    throw new ApiError('INVALID_HEADERS', { message })
  }
  if (!mediaTypes.includes(mediaType) || !parameters.every(isUtf8)) {
    throw malformed(`the body must be ${mediaTypes.join(' or ')}, in UTF-8`)
  }
  const text = decode(bytes)
  return mediaType === 'application/json' ? parseJson(text, describeEmpty) : parseForm(text)
}

/** A body is read as it is, so its header must not say that it is compressed. */
export function rejectEncoding(encoding: string | undefined): void {
  if (encoding === undefined || encoding.trim().toLowerCase() === 'identity') return
  const message =
    'the header `Content-Encoding` must be left out: no encoding is supported; send the body uncompressed'
  const action = 'Leave the header out, and send the body uncompressed.'
  throw new ApiError('INVALID_HEADERS', { message, action })
}

/**
 * The strings that every store supports: PostgreSQL rejects U+0000, and UTF-8 has no unpaired
 * surrogates.
 */
export const isText = (value: string): boolean => value.isWellFormed() && !value.includes('\0')

const malformed = (message: string): ApiError =>
  new ApiError('INVALID_REQUEST.INVALID_BODY.400', { message })

/** Why well-formed JSON is still rejected, as RFC 7493 recommends. */
export function flawOf(text: string): string | undefined {
  const flaw = findFlaw(text)
  return flaw === undefined ? undefined : `the body ${expectation(flaw)}`
}

function expectation(flaw: Flaw): string {
  if (flaw === 'text') return 'must be Unicode text without U+0000'
  if (flaw === 'levels') return `must have at most ${maximumLevels} levels`
  if (flaw === 'keys') return `must have at most ${maximumKeys} fields in one object`
  const field = isName.test(flaw.key) ? `the field \`${flaw.key}\`` : 'a field'
  return `must not have ${field} twice in one object`
}

/** The form of field names in the contract. A key of another form may be a misplaced secret. */
const isName = /^(?=.{1,64}$)[a-z]+\d?(_([a-z]+\d?|\d))*$/

function isUtf8(parameter: string): boolean {
  const [name, value = ''] = parameter.split('=')
  return name?.trim() !== 'charset' || /^"?utf-?8"?$/.test(value.trim())
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw malformed('the body must be UTF-8, and some of its bytes are not')
  }
}

function parseJson(text: string, describeEmpty: () => string): Body {
  // Checked before parsing: parsing many keys takes longer than counting them.
  const flaw = flawOf(text)
  if (flaw !== undefined) throw malformed(flaw)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The parser's message quotes the body, so it is not stored as the cause.
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const lacking = text.trim() === '' ? describeEmpty() : ''
    throw malformed(`the body ${describeMistake(text)}${lacking === '' ? '' : `; ${lacking}`}`)
  }
  return value as Body
}

/** The limit on parameters, above the number in any operation's form. */
const maximumParameters = 100

/** RFC 6749 section 3.2: a repeated parameter is rejected, one without a value is ignored. */
function parseForm(text: string): Body {
  if (text.split('&', maximumParameters + 1).length > maximumParameters) {
    throw malformed(`the body must have at most ${maximumParameters} parameters`)
  }
  const body = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(text)) {
    if (body.has(name)) throw malformed('the body must not repeat a parameter')
    if (!isText(name) || !isText(value)) throw malformed(`the body ${expectation('text')}`)
    body.set(name, value)
  }
  return Object.fromEntries([...body].filter(([, value]) => value !== ''))
}
