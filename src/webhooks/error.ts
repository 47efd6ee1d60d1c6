/** Why a webhook was not verified, and how to mend it where the receiver can. */
const messages = {
  missing_header:
    'the header Service-Verification is missing: this is no webhook, or a proxy removed the header',
  repeated_header: 'the header Service-Verification must be there once',
  malformed_token: 'the header Service-Verification holds no token of the form that webhooks have',
  wrong_algorithm: 'the token is not signed with ES256, and nothing else is accepted',
  unknown_key:
    'no such key: the token is forged, or the webhook belongs to a client other than yours',
  expired_key: 'the token was signed with a key that had been retired before',
  bad_signature: 'the signature is not one of the key that the token names',
  stale: 'the token is too old: it is replayed, or the clock of this machine is ahead',
  future: 'the token is of the future: it is forged, or the clock of this machine is behind',
  altered_body:
    'the body is not what was signed: pass the bytes as they arrived, not JSON that was parsed and written again',
  malformed_body: 'the body is what was signed, but no event in JSON',
  raw_body_needed:
    'the raw body is needed, as a string or bytes: take it before anything parses the request',
  unusable_key: 'the key is no public key on the curve P-256',
  key_unavailable: 'the key could not be fetched: answer 503, and the webhook is sent again',
} as const

/**
 * Why a webhook was not verified. `key_unavailable`, `unusable_key` and `raw_body_needed` say
 * nothing about the webhook itself: it may well be genuine.
 */
export type WebhookVerificationReason = keyof typeof messages

const statuses: Partial<Record<WebhookVerificationReason, 500 | 503>> = {
  raw_body_needed: 500,
  unusable_key: 500,
  key_unavailable: 503,
}

/**
 * Tells that a webhook is not genuine, or could not be checked. Its message is one line, and
 * holds nothing of the body, the token or your credentials.
 */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  /** What failed; the first that did. */
  readonly reason: WebhookVerificationReason
  /**
   * The HTTP status to answer with: 400 for a webhook that is not genuine, 503 when its key
   * could not be fetched, and 500 when the receiver itself is at fault.
   */
  readonly status: 400 | 500 | 503

  constructor(reason: WebhookVerificationReason, options?: ErrorOptions) {
    super(messages[reason], options)
    this.reason = reason
    this.status = statuses[reason] ?? 400
  }
}
