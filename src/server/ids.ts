import { randomBytes as drawBytes } from 'node:crypto'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
// Bytes past the last whole multiple of the alphabet would favour its first letters.
const fair = 256 - (256 % letters.length)

/** Letters and digits from a source of bytes, each equally likely. */
export function toLetters(length: number, bytes: (count: number) => Uint8Array): string {
  let id = ''
  while (id.length < length) {
    for (const byte of bytes(length)) {
      if (byte < fair && id.length < length) id += letters[byte % letters.length]
    }
  }
  return id
}

// Asking the system for a few bytes costs as much as for many. What has been given out is zeroed.
const pool = { bytes: Buffer.alloc(0), used: 0 }
const poolSize = 4096

/** Bytes by chance, fit for secrets. */
function randomBytes(count: number): Buffer {
  if (count > pool.bytes.length - pool.used) {
    pool.bytes = drawBytes(Math.max(poolSize, count))
    pool.used = 0
  }
  const bytes = Buffer.from(pool.bytes.subarray(pool.used, pool.used + count))
  pool.bytes.fill(0, pool.used, pool.used + count)
  pool.used += count
  return bytes
}

let counter = 0

/** An id that is greater than those made before it, so that rows in its order are in theirs. */
function sequential(): string {
  counter = (counter + 1) % 0x100000000
  const parts = [Date.now().toString(16).padStart(12, '0'), counter.toString(16).padStart(8, '0')]
  return [...parts, randomBytes(4).toString('hex')].join('-')
}

/** Where an identifier's bytes come from: chance, or a seed. */
export type Bytes = (count: number) => Uint8Array

const alphanumeric = (bytes: Bytes, length: number) => toLetters(length, bytes)
const hex = (bytes: Bytes, length: number) => Buffer.from(bytes(length / 2)).toString('hex')
const url64 = (bytes: Bytes) => Buffer.from(bytes(18)).toString('base64url').slice(0, 22)
const institutionDigits = 6

function uuid(bytes: Bytes): string {
  const digits = hex(bytes, 32)
  // Version and variant of a random one.
  const variant = '89ab'[Number.parseInt(digits.charAt(16), 16) % 4]
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20),
  ].join('-')
}

/** The forms of identifiers and tokens; some name the environment that they belong to. */
const forms = {
  request: (bytes: Bytes) => alphanumeric(bytes, 15),
  opaque: (bytes: Bytes) => alphanumeric(bytes, 37),
  uuid: (bytes: Bytes) => uuid(bytes),
  job: sequential,
  access_token: (bytes: Bytes, environment: string) => `access-${environment}-${uuid(bytes)}`,
  public_token: (bytes: Bytes, environment: string) => `public-${environment}-${uuid(bytes)}`,
  asset_report_token: (bytes: Bytes, environment: string) => `assets-${environment}-${uuid(bytes)}`,
  user_token: (bytes: Bytes, environment: string) => `user-${environment}-${uuid(bytes)}`,
  user: (bytes: Bytes) => `usr_${alphanumeric(bytes, 14)}`,
  identity_verification: (bytes: Bytes) => `idv_${alphanumeric(bytes, 14)}`,
  identity_verification_template: (bytes: Bytes) => `idvtmp_${alphanumeric(bytes, 14)}`,
  screening: (bytes: Bytes) => `scr_${alphanumeric(bytes, 14)}`,
  institution: (bytes: Bytes) => {
    return `ins_${Number.parseInt(hex(bytes, 8), 16).toString().padStart(institutionDigits, '1')}`
  },
  wallet: (bytes: Bytes, environment: string) => `wallet-id-${environment}-${uuid(bytes)}`,
  recipient: (bytes: Bytes, environment: string) => `recipient-id-${environment}-${uuid(bytes)}`,
  dashboard_user: (bytes: Bytes) => hex(bytes, 24),
  protect_event: (bytes: Bytes) => `protect-event-${hex(bytes, 24)}`,
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

/** A new `request_id`. */
export const newRequestId = (): string => forms.request(randomBytes)
