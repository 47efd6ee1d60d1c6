import { randomBytes } from './random-bytes.ts'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
// Bytes past the last whole multiple of the alphabet would favour its first letters.
const fair = 256 - (256 % letters.length)

/** Letters and digits from a source of bytes, each equally likely. */
export function toLetters(length: number, bytes: (count: number) => Uint8Array): string {
  let id = ''
  while (id.length < length) {
    const drawn = bytes(length)
    for (let place = 0; place < drawn.length && id.length < length; place += 1) {
      const byte = drawn[place] as number
      if (byte < fair) id += letters[byte % letters.length]
    }
  }
  return id
}

let counter = 0

/** An id that is greater than those made before it, so that rows in its order are in theirs. */
function sequential(): string {
  counter = (counter + 1) % 0x100000000
  const parts = [timeDigits(), counter.toString(16).padStart(8, '0')]
  return [...parts, randomBytes(4).toString('hex')].join('-')
}

/** Where an identifier's bytes come from: chance, or a seed. */
export type Bytes = (count: number) => Uint8Array

const alphanumeric = (bytes: Bytes, length: number) => toLetters(length, bytes)
const hex = (bytes: Bytes, length: number) => Buffer.from(bytes(length / 2)).toString('hex')
const url64 = (bytes: Bytes) => Buffer.from(bytes(18)).toString('base64url').slice(0, 22)
const institutionDigits = 6

/** A UUID of RFC 9562: of version 4, all of it by chance, or 7. */
function toUuid(version: 4 | 7, digits: string): string {
  const variant = '89ab'[Number.parseInt(digits.charAt(16), 16) % 4]
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `${version}${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20),
  ].join('-')
}

const uuid = (bytes: Bytes): string => toUuid(4, hex(bytes, 32))

// Rows that are made by the thousand have names that begin with the time. Their places in an index
// are then side by side, and a write changes a page that is at hand in place of one of many. What
// comes from a seed must not have a time in it.
const timeDigits = (): string => Date.now().toString(16).padStart(12, '0')
const isChance = (bytes: Bytes): boolean => bytes === randomBytes

const rowUuid = (bytes: Bytes): string =>
  isChance(bytes) ? toUuid(7, timeDigits() + hex(bytes, 20)) : uuid(bytes)
const rowHex = (bytes: Bytes): string =>
  isChance(bytes) ? timeDigits() + hex(bytes, 12) : hex(bytes, 24)
const rowLetters = (bytes: Bytes): string =>
  isChance(bytes) ? timeLetters() + alphanumeric(bytes, 7) : alphanumeric(bytes, 14)

/** The time in seven letters and digits, which is enough until 2081; not in the order of letters. */
function timeLetters(): string {
  let text = ''
  for (let rest = Date.now(); text.length < 7; rest = Math.floor(rest / letters.length)) {
    text = letters.charAt(rest % letters.length) + text
  }
  return text
}

/** The forms of identifiers and tokens; some name the environment that they belong to. */
const forms = {
  request: (bytes: Bytes) => alphanumeric(bytes, 15),
  opaque: (bytes: Bytes) => alphanumeric(bytes, 37),
  uuid: rowUuid,
  row: sequential,
  access_token: (bytes: Bytes, environment: string) => `access-${environment}-${uuid(bytes)}`,
  public_token: (bytes: Bytes, environment: string) => `public-${environment}-${uuid(bytes)}`,
  link_token: (bytes: Bytes, environment: string) => `link-${environment}-${uuid(bytes)}`,
  /** The end of a page's address. Everyone who knows it can open the page. */
  page_key: (bytes: Bytes) => hex(bytes, 64),
  asset_report_token: (bytes: Bytes, environment: string) => `assets-${environment}-${uuid(bytes)}`,
  user_token: (bytes: Bytes, environment: string) => `user-${environment}-${uuid(bytes)}`,
  user: (bytes: Bytes) => `usr_${rowLetters(bytes)}`,
  identity_verification: (bytes: Bytes) => `idv_${alphanumeric(bytes, 14)}`,
  identity_verification_template: (bytes: Bytes) => `idvtmp_${alphanumeric(bytes, 14)}`,
  screening: (bytes: Bytes) => `scr_${alphanumeric(bytes, 14)}`,
  institution: (bytes: Bytes) => {
    return `ins_${Number.parseInt(hex(bytes, 8), 16).toString().padStart(institutionDigits, '1')}`
  },
  wallet: (bytes: Bytes, environment: string) => `wallet-id-${environment}-${rowUuid(bytes)}`,
  recipient: (bytes: Bytes, environment: string) => `recipient-id-${environment}-${uuid(bytes)}`,
  dashboard_user: (bytes: Bytes) => hex(bytes, 24),
  protect_event: (bytes: Bytes) => `protect-event-${rowHex(bytes)}`,
  oauth_access_token: (bytes: Bytes) => `sva-${url64(bytes)}==`,
  oauth_refresh_token: (bytes: Bytes) => `svr-${url64(bytes)}==`,
  share_key: (bytes: Bytes) => hex(bytes, 64),
  client: (bytes: Bytes) => hex(bytes, 24),
  secret: (bytes: Bytes) => hex(bytes, 32),
  public_key: (bytes: Bytes) => hex(bytes, 28),
}

/** A form of identifier. */
export type IdKind = keyof typeof forms

/** A new identifier, which nobody can guess unless its bytes are given. */
export const newId = (kind: IdKind, environment: string, bytes: Bytes = randomBytes): string =>
  forms[kind](bytes, environment)

const sequencesInMs = 1000
// Random, so that two processes rarely choose the same number. If they do, one of them chooses again.
const firstInMs = randomBytes(4).reduce((sum, byte) => (sum * 256 + byte) % (sequencesInMs / 2), 0)
let lastSequence = 0

/** A monotonic sequence: a number that is greater than all before it, in microseconds or so. */
export function nextSequence(now: number): number {
  // If the clock is set back, new rows must not come before older ones.
  lastSequence = Math.max(lastSequence + 1, now * sequencesInMs + firstInMs)
  return lastSequence
}

/** A new `request_id`. */
export const newRequestId = (): string => forms.request(randomBytes)
