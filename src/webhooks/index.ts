export type { RawBody } from './body.ts'
export { WebhookVerificationError, type WebhookVerificationReason } from './error.ts'
export type {
  KnownWebhookEvent,
  UnknownWebhookEvent,
  WebhookByCode,
  WebhookEvent,
  WebhookEventOf,
  WebhookName,
} from './event.ts'
export type { KeySource, PublicKey } from './keys.ts'
export type { WebhookHeaders } from './token.ts'
export { type VerifyOptions, verifyWebhook } from './verify-webhook.ts'
