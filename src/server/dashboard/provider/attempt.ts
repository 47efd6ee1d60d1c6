import type { Keys } from '../../kernel/keys.ts'
import { newAccessKey } from '../../users/dashboard-sign-in.ts'

/** A sign-in that has begun in one browser and goes on at the identity provider. */
export interface Attempt {
  /** What the browser keeps in a cookie. All else follows from it and the keys of the service. */
  key: string
  state: string
  nonce: string
  /** Of PKCE: only who has it can redeem the code. */
  verifier: string
  /** In real ms. */
  endsAt: number
}

const lifetimeMs = 10 * 60_000

const form = /^[A-Za-z0-9_-]{43}\.(\d{13})$/

/**
 * An attempt is stored nowhere, so that strangers cannot fill the database with them. A browser that
 * changes its end has another state, which no answer has.
 */
function toAttempt(keys: Keys, key: string, endsAt: number): Attempt {
  const derive = (purpose: string) => keys.hash(`dashboard provider ${purpose} ${key}`)
  return {
    key,
    state: derive('state'),
    nonce: derive('nonce'),
    verifier: derive('verifier'),
    endsAt,
  }
}

export function newAttempt(keys: Keys, now: number): Attempt {
  const endsAt = now + lifetimeMs
  return toAttempt(keys, `${newAccessKey()}.${endsAt}`, endsAt)
}

/** The attempt that a browser has begun, if it has. */
export function readAttempt(keys: Keys, key: string | undefined): Attempt | undefined {
  const [, endsAt] = form.exec(key ?? '') ?? []
  return key === undefined || endsAt === undefined
    ? undefined
    : toAttempt(keys, key, Number(endsAt))
}

export const isAttemptOpen = ({ endsAt }: Attempt, now: number): boolean => now < endsAt

/** How long a browser keeps the cookie, in seconds. */
export const attemptSeconds = lifetimeMs / 1000
