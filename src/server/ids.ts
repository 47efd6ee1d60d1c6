import { randomBytes, randomUUID } from 'node:crypto'

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

let counter = 0

/** An id that is greater than those made before it, so that rows in its order are in theirs. */
function sequential(): string {
  counter = (counter + 1) % 0x100000000
  const parts = [Date.now().toString(16).padStart(12, '0'), counter.toString(16).padStart(8, '0')]
  return [...parts, randomBytes(4).toString('hex')].join('-')
}

const alphanumeric = (length: number) => toLetters(length, randomBytes)
const hex = (length: number) => randomBytes(length / 2).toString('hex')
const url64 = () => randomBytes(18).toString('base64url').slice(0, 22)
const institutionDigits = 6

/** The forms of identifiers and tokens; some name the environment that they belong to. */
const forms = {
  request: () => alphanumeric(15),
  opaque: () => alphanumeric(37),
  uuid: () => randomUUID(),
  job: sequential,
  access_token: (environment: string) => `access-${environment}-${randomUUID()}`,
  public_token: (environment: string) => `public-${environment}-${randomUUID()}`,
  asset_report_token: (environment: string) => `assets-${environment}-${randomUUID()}`,
  user_token: (environment: string) => `user-${environment}-${randomUUID()}`,
  user: () => `usr_${alphanumeric(14)}`,
  identity_verification: () => `idv_${alphanumeric(14)}`,
  identity_verification_template: () => `idvtmp_${alphanumeric(14)}`,
  screening: () => `scr_${alphanumeric(14)}`,
  institution: () => {
    return `ins_${Number.parseInt(hex(8), 16).toString().padStart(institutionDigits, '1')}`
  },
  wallet: (environment: string) => `wallet-id-${environment}-${randomUUID()}`,
  recipient: (environment: string) => `recipient-id-${environment}-${randomUUID()}`,
  dashboard_user: () => hex(24),
  protect_event: () => `protect-event-${hex(24)}`,
  oauth_access_token: () => `sva-${url64()}==`,
  oauth_refresh_token: () => `svr-${url64()}==`,
  share_key: () => hex(64),
  client: () => hex(24),
  secret: () => hex(32),
  public_key: () => hex(28),
}

/** A form of identifier. */
export type IdKind = keyof typeof forms

/** A new identifier that nobody can guess. */
export const newId = (kind: IdKind, environment: string): string => forms[kind](environment)

/** A new `request_id`. */
export const newRequestId = (): string => forms.request()
