import type { WebhookName, webhooks } from '#contract/operations.ts'
import type { components } from '#contract/types.ts'

export type { WebhookName }

/** What an event tells of its own; its type, code and environment are added when it is written. */
export type WebhookBodyOf<Name extends WebhookName> = Omit<
  components['schemas'][(typeof webhooks)[Name]['schema']],
  'webhook_type' | 'webhook_code' | 'environment'
>
