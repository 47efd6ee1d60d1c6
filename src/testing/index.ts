// What is disposed of by `await using` has a type that not every program's `lib` knows.
/// <reference lib="esnext.disposable" preserve="true" />
export { type ErrorFields, type ListedCode, ok, refused } from './answered.ts'
export { type Control, type ControlOptions, createControl } from './control.ts'
export type {
  Delivery,
  EventName,
  EventNamed,
  Inbox,
  InboxAnswer,
  NextOptions,
} from './inbox.ts'
export {
  createWebhookKey,
  type SignedWebhook,
  type SignOptions,
  signWebhook,
  type Tamper,
  type WebhookKey,
} from './sign-webhook.ts'
export {
  type ServiceOptions,
  startService,
  type TenantFeatures,
  type TestService,
} from './start-service.ts'
export type { LinkedItem, LinkOptions, Tenant } from './tenant.ts'
export type { Snapshot } from './world-snapshot.ts'
