import { promisify } from 'node:util'
import { gunzipSync, gzip } from 'node:zlib'
import type { Keys } from '../kernel/keys.ts'
import type { Headers } from './credentials.ts'

/** What of a call is stored beside its entry. */
export interface CallBodies {
  headers: Record<string, string>
  request: string | null
  answer: string | null
  /** Whether a body was longer than what is stored of it. */
  cut: boolean
  /** Whether it came with a bearer token, which is not stored. */
  bearer: boolean
}

/** Longer bodies are cut here, in characters. */
export const longestStored = 64 * 1024
const compress = promisify(gzip)

/** Headers that change an answer, or say who sent a request; none holds a credential. */
const shownHeaders = ['content-type', 'prefer', 'service-version', 'user-agent']

/** The text of a body, not longer than what is stored of it. */
export const cutText = (text: string): string =>
  // A copy, since a part of a text keeps all of it in memory.
  text.length > longestStored ? Buffer.from(text.slice(0, longestStored)).toString() : text

/** What is stored of a request: without credentials, which the log has no use for. */
export function toStoredRequest(headers: Headers, bytes: Uint8Array): Omit<CallBodies, 'answer'> {
  const shown = shownHeaders.flatMap((name) => {
    const value = headers[name]
    return value === undefined ? [] : [[name, value.slice(0, 1024)]]
  })
  const request = withoutCredentials(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(),
    headers['content-type'] ?? '',
  )
  return {
    headers: Object.fromEntries(shown) as Record<string, string>,
    request: request === null ? null : cutText(request),
    cut: (request?.length ?? 0) > longestStored,
    bearer: /^Bearer\b/i.test(headers['authorization'] ?? ''),
  }
}

const credentials = ['client_id', 'secret', 'client_secret', 'public_key']

/** Null for a body that cannot be read: a secret could stand anywhere in it. */
function withoutCredentials(text: string, contentType: string): string | null {
  if (contentType.startsWith('application/x-www-form-urlencoded')) {
    const form = new URLSearchParams(text)
    for (const name of credentials) form.delete(name)
    return JSON.stringify(Object.fromEntries(form))
  }
  // Most requests have their credentials in headers, and need no second reading. An escape could
  // hide a name.
  if (!/secret|client_id|public_key|\\u/.test(text)) return text
  try {
    const body = JSON.parse(text) as Record<string, unknown>
    return JSON.stringify(body, (key, value) => (credentials.includes(key) ? undefined : value))
  } catch {
    return null
  }
}

/**
 * Compresses beside the main thread, and encrypts what is left. The texts follow a list of the rest,
 * since to write them as JSON again would take longer than all else.
 */
export async function sealBodies(
  keys: Keys,
  bodies: readonly (CallBodies | null)[],
): Promise<string> {
  const texts: Buffer[] = []
  const heads = bodies.map((one) => one && toHead(one, texts))
  const head = Buffer.from(`${JSON.stringify(heads)}\n`)
  const packed = await compress(Buffer.concat([head, ...texts]), { level: 1 })
  return keys.encrypt(packed.toString('base64'))
}

const toHead = ({ request, answer, ...rest }: CallBodies, texts: Buffer[]): Head => ({
  ...rest,
  request: lengthOf(request, texts),
  answer: lengthOf(answer, texts),
})

/** Adds a text to the list, and returns how many bytes it takes; null for none. */
function lengthOf(text: string | null, texts: Buffer[]): number | null {
  if (text === null) return null
  const bytes = Buffer.from(text)
  texts.push(bytes)
  return bytes.length
}

type Head = Omit<CallBodies, 'request' | 'answer'> & Record<'request' | 'answer', number | null>

/** The bodies of one row, in the order of its calls; null for a call that is stored without. */
export function openBodies(keys: Keys, sealed: string): (CallBodies | null)[] {
  const bytes = gunzipSync(Buffer.from(keys.decrypt(sealed), 'base64'))
  const end = bytes.indexOf('\n')
  let place = end + 1
  const take = (length: number | null): string | null => {
    if (length === null) return null
    place += length
    return bytes.subarray(place - length, place).toString()
  }
  const heads = JSON.parse(bytes.subarray(0, end).toString()) as (Head | null)[]
  return heads.map(
    (head) => head && { ...head, request: take(head.request), answer: take(head.answer) },
  )
}
