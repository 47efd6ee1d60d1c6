import type { WebhookBodies } from '../../generated/client.ts'

/** The name of a webhook. */
export type WebhookName = keyof WebhookBodies

/** The body of a webhook, by its name `<webhook_type>.<webhook_code>`. */
export type WebhookEventOf<Name extends WebhookName> = WebhookBodies[Name]

/** A webhook that this version of the package describes. */
export type KnownWebhookEvent = WebhookEventOf<WebhookName>

/** The body of the webhooks with a code, of all types or of one: `WebhookByCode<'ERROR', 'ASSETS'>`. */
export type WebhookByCode<
  Code extends KnownWebhookEvent['webhook_code'],
  Type extends KnownWebhookEvent['webhook_type'] = KnownWebhookEvent['webhook_type'],
> = Extract<KnownWebhookEvent, { webhook_code: Code; webhook_type: Type }>

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
