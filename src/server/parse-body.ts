import { ApiError } from './errors.ts'

/** The largest body that is read, in bytes. */
export const maximumBody = 1024 * 1024

export type Body = Record<string, unknown>

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Reads a JSON or form body into an object; `mediaTypes` are those that the operation takes. */
export function parseBody(
  bytes: Uint8Array,
  contentType: string | undefined,
  mediaTypes: readonly string[],
): Body {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';')
  const mediaType = type.trim()
  if (mediaType === '') {
    const message = `the header \`Content-Type\` must be ${mediaTypes.join(' or ')}`
    throw new ApiError('INVALID_HEADERS', { message })
  }
  if (!mediaTypes.includes(mediaType) || !parameters.every(isUtf8)) {
    const message = `the body must be ${mediaTypes.join(' or ')}, in UTF-8`
    throw new ApiError('INVALID_REQUEST.INVALID_BODY.400', { message })
  }
  const text = decode(bytes)
  const body = mediaType === 'application/json' ? parseJson(text) : parseForm(text)
  const flaw = flawOf(body, maximumLevels)
  if (flaw) throw new ApiError('INVALID_REQUEST.INVALID_BODY.400', { message: flaw })
  return body
}

/** Far more than any field has; what walks through a body, as JSON.stringify does, has its limit. */
const maximumLevels = 100

/** What every store can hold: PostgreSQL takes no U+0000, and UTF-8 has no half of a surrogate pair. */
export const isText = (value: string): boolean => value.isWellFormed() && !value.includes('\0')

/** Why what is well-formed JSON is taken for malformed all the same, as RFC 7493 advises. */
export function flawOf(value: unknown, levels = maximumLevels): string | undefined {
  if (typeof value === 'string') {
    return isText(value) ? undefined : 'the body must be Unicode text without U+0000'
  }
  if (typeof value !== 'object' || value === null) return undefined
  if (levels === 0) return `the body must have at most ${maximumLevels} levels`
  for (const [name, member] of Object.entries(value)) {
    const flaw = flawOf(name, levels) ?? flawOf(member, levels - 1)
    if (flaw) return flaw
  }
  return undefined
}

function isUtf8(parameter: string): boolean {
  const [name, value = ''] = parameter.split('=')
  return name?.trim() !== 'charset' || /^"?utf-?8"?$/.test(value.trim())
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch (cause) {
    throw new ApiError('INVALID_REQUEST.INVALID_BODY.400', { cause })
  }
}

function parseJson(text: string): Body {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The parser's own message quotes the body, so it does not become the cause.
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ApiError('INVALID_REQUEST.INVALID_BODY.400')
  }
  return value as Body
}

/** RFC 6749 section 3.2: a parameter given twice is refused, one without a value is left out. */
function parseForm(text: string): Body {
  const body = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(text)) {
    if (body.has(name)) {
      const message = `the body must not repeat a parameter`
      throw new ApiError('INVALID_REQUEST.INVALID_BODY.400', { message })
    }
    body.set(name, value)
  }
  return Object.fromEntries([...body].filter(([, value]) => value !== ''))
}
