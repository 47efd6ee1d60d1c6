import { promisify } from 'node:util'
import { gunzipSync, gzip } from 'node:zlib'
import type { Keys } from '../kernel/keys.ts'
import { credentialFields } from './credentials.ts'
import { masked } from './mask-body.ts'

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

const compress = promisify(gzip)
const isCredential = (name: string): boolean => credentialFields.some((field) => field === name)

/** The text of bytes, each of which is one character: all names of fields are ASCII. */
export const toAscii = (bytes: Uint8Array): string => toBuffer(bytes).toString('latin1')

const toBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)

/**
 * A body without its credentials, for which the log has no use. Null for a body that cannot be read:
 * a secret could stand anywhere in it.
 */
export function withoutCredentials(
  body: Uint8Array,
  ascii: string,
  contentType: string,
): Uint8Array | string | null {
  if (contentType.trimStart().toLowerCase().startsWith('application/x-www-form-urlencoded')) {
    const form = new URLSearchParams(toBuffer(body).toString())
    for (const name of credentialFields) form.delete(name)
    return JSON.stringify(Object.fromEntries(form))
  }
  // Most requests have their credentials in headers, and need no second reading. An escape could
  // hide a name.
  if (!/secret|client_id|public_key|\\u/.test(ascii)) return body
  try {
    const read = JSON.parse(toBuffer(body).toString()) as Record<string, unknown>
    return JSON.stringify(read, (key, value) => (isCredential(key) ? undefined : value))
  } catch {
    return null
  }
}

// The text may end within a secret.
const secretInAnswer = /("secret"\s*:\s*)"(?:[^"\\]|\\.)*(?:"|\\?$)/g

/**
 * The text of an answer, or its first part, with its secret masked: a sandbox endpoint answers that of a
 * new client.
 */
export const withoutSecret = (text: string): string =>
  text.includes('"secret"') ? text.replace(secretInAnswer, `$1"${masked}"`) : text

/** What a row has of a call beside the bytes of its bodies, in the order of `packHead`. */
export type Head = [
  headers: Record<string, string>,
  request: number | null,
  answer: number | null,
  cut: boolean,
  bearer: boolean,
]

/**
 * Compresses beside the main thread, and encrypts what is left. The bodies follow a list of the rest,
 * since to write them as JSON again would take longer than all else.
 */
export async function sealBodies(
  keys: Keys,
  heads: readonly (Head | null)[],
  bodies: Uint8Array,
): Promise<string> {
  const names: Record<string, string>[] = []
  const list = heads.map((head) => head && [placeIn(names, head[0]), ...head.slice(1)])
  const head = Buffer.from(`${JSON.stringify([names, list])}\n`)
  const packed = await compress(Buffer.concat([head, bodies]), { level: 1 })
  return keys.encrypt(packed.toString('base64'))
}

/** Most calls of a moment have the same headers: the same object, which is stored once. */
function placeIn<Element>(list: Element[], element: Element): number {
  const place = list.lastIndexOf(element)
  return place < 0 ? list.push(element) - 1 : place
}

type Stored = [
  headers: Record<string, string>[],
  heads: ([number, number | null, number | null, boolean, boolean] | null)[],
]

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
  const [headers, heads] = JSON.parse(bytes.subarray(0, end).toString()) as Stored
  return heads.map((head) => {
    if (!head) return null
    const [index, request, answer, cut, bearer] = head
    const shown = headers[index] ?? {}
    return { headers: shown, request: take(request), answer: take(answer), cut, bearer }
  })
}
