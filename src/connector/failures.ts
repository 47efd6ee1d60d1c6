/**
 * Why a source gave nothing. `outage`: try again later. `limit`: it wants fewer requests. `login`: the
 * user must authorize again. `setup`: the user must finish something at the source, such as a payment.
 */
export type FailureKind = 'outage' | 'limit' | 'login' | 'setup'

/**
 * A source that could not be read. A connector throws it from `read` or `authorize`. The message goes
 * to the log, so it must hold no secret and no address.
 */
export class SourceFailed extends Error {
  override readonly name = 'SourceFailed'
  readonly kind: FailureKind
  /** How long the source asks to wait, in ms: a whole number, and a day at most. */
  readonly waitMs: number

  constructor(kind: FailureKind, message: string, waitMs = 0) {
    super(message)
    this.kind = kind
    this.waitMs = toWait(waitMs)
  }
}

/** An Item is read again after a day at the latest, whatever the header of a source says. */
const mostWaitMs = 86_400_000

const toWait = (ms: number): number => Math.ceil(Math.min(Math.max(Number(ms) || 0, 0), mostWaitMs))

/**
 * Why the input of a user authorizes nothing. `malformed`: it has another form. `rejected`: the source
 * does not accept it. `used`: it was valid once. `denied`: the user refused. `foreign_host`: it leads
 * to a host that the institution does not list.
 */
export type RejectedInput = 'malformed' | 'rejected' | 'used' | 'denied' | 'foreign_host'

/**
 * An authorization that the user must begin again. A connector throws it from `authorize`. The message
 * must hold no part of the input.
 */
export class AuthorizationFailed extends Error {
  override readonly name = 'AuthorizationFailed'
  readonly reason: RejectedInput

  constructor(reason: RejectedInput, message: string) {
    super(message)
    this.reason = reason
  }
}

const failureKinds = ['outage', 'limit', 'login', 'setup'] as const
const reasons = ['malformed', 'rejected', 'used', 'denied', 'foreign_host'] as const

/**
 * A failure that a connector threw, as an instance of the classes here. A connector may have been
 * installed with another copy of them. Undefined for any other error, and for a failure that
 * `issueOfFailure` rejects.
 */
export function toFailure(error: unknown): SourceFailed | AuthorizationFailed | undefined {
  if (!(error instanceof Error) || issueOfFailure(error) !== undefined) return undefined
  const { name, message, kind, waitMs, reason } = error as Error & Record<string, unknown>
  if (name === 'SourceFailed') {
    return new SourceFailed(kind as FailureKind, message, Number(waitMs))
  }
  if (name !== 'AuthorizationFailed') return undefined
  return new AuthorizationFailed(reason as RejectedInput, message)
}

/** What is wrong with a failure that a connector threw. The types do not bind JavaScript. */
export function issueOfFailure(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { name, kind, reason } = error as Error & Record<string, unknown>
  if (name === 'SourceFailed' && !(failureKinds as readonly unknown[]).includes(kind)) {
    return `\`kind\` of SourceFailed must be one of: ${failureKinds.join(', ')}`
  }
  if (name === 'AuthorizationFailed' && !(reasons as readonly unknown[]).includes(reason)) {
    return `\`reason\` of AuthorizationFailed must be one of: ${reasons.join(', ')}`
  }
  return undefined
}
