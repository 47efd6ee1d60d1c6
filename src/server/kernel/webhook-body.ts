import type { components } from '#contract/closed.ts'
import type { WebhookName as DatedName, webhooks } from '#contract/operations.ts'
import type { WebhookBodies } from '../../../generated/undated.ts'

/** The name of a webhook of any document. */
export type WebhookName = DatedName | keyof WebhookBodies

type WholeBody<Name extends WebhookName> = Name extends keyof WebhookBodies
  ? WebhookBodies[Name]
  : Name extends DatedName
    ? components['schemas'][(typeof webhooks)[Name]['schema']]
    : never

/** What an event tells of its own; its type, code and environment are added when it is written. */
export type WebhookBodyOf<Name extends WebhookName> = Omit<
  WholeBody<Name>,
  'webhook_type' | 'webhook_code' | 'environment'
>
