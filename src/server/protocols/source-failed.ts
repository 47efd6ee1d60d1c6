/**
 * Why a source gave nothing. `outage`: try again later. `limit`: it wants fewer requests. `login`: the
 * user must authorize again. `setup`: the user must finish something at the source, such as a payment.
 */
export type FailureKind = 'outage' | 'limit' | 'login' | 'setup'

/** A source that could not be read. The message holds no secret and no address. */
export class SourceFailed extends Error {
  override readonly name = 'SourceFailed'
  readonly kind: FailureKind
  /** How long the source asks to wait, in ms. */
  readonly waitMs: number

  constructor(kind: FailureKind, message: string, waitMs = 0) {
    super(message)
    this.kind = kind
    this.waitMs = waitMs
  }
}

/** Why the input of a user authorizes nothing. */
export type RejectedInput = 'malformed' | 'foreign_host' | 'used'

/** An authorization that the user must begin again. The message holds no part of the input. */
export class AuthorizationFailed extends Error {
  override readonly name = 'AuthorizationFailed'
  readonly reason: RejectedInput

  constructor(reason: RejectedInput, message: string) {
    super(message)
    this.reason = reason
  }
}
