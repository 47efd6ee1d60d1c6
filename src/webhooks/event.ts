import type { WebhookName, webhooks } from '#contract/operations.ts'
import type { components } from '#contract/types.ts'

/** The body of a webhook, by its name `<webhook_type>.<webhook_code>`. */
export type WebhookEventOf<Name extends WebhookName> =
  components['schemas'][(typeof webhooks)[Name]['schema']]

/** A webhook that this version of the package describes. */
export type KnownWebhookEvent = WebhookEventOf<WebhookName>

/**
 * A text that is none of those listed. It reads as any text, and compares with none of them: of all
 * types only that of an enum is a string and yet no other literal, so narrowing leaves it out.
 */
declare enum Unlisted {
  any = '',
}

/** A webhook that a newer service sends: its type or its code is not listed here, or neither is. */
export type UnknownWebhookEvent = { readonly [field: string]: unknown } & (
  | { webhook_type: KnownWebhookEvent['webhook_type'] | Unlisted; webhook_code: Unlisted }
  | { webhook_type: Unlisted; webhook_code: KnownWebhookEvent['webhook_code'] | Unlisted }
)

/**
 * The event that a webhook tells of. Look at `webhook_type` and `webhook_code` together, since a code
 * can stand under two types, and have a branch for what you do not know.
 */
export type WebhookEvent = KnownWebhookEvent | UnknownWebhookEvent

export type { WebhookName }
