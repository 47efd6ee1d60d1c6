import type { ProtectEventInput } from '#contract/closed.ts'
import type { HandlerOf } from '../kernel/operation.ts'
import { readTimestamp, toTimestamp } from '../kernel/time.ts'
import { insertProtectEvent } from './store.ts'
import { toTrustIndex } from './trust-index.ts'

const kinds = ['app_visit', 'user_sign_in', 'user_sign_up'] as const

export const protectEventSend: HandlerOf<'protectEventSend'> = async (ctx, { body }) => {
  const { event, timestamp, device_session_id, request_trust_index = false } = body
  const session = event.protect_session_id ?? body.protect_session_id ?? null
  // A provider would look at the device. Production has none, and makes no result up.
  const judges = ctx.settings.environment === 'sandbox'
  const trustIndex = judges && request_trust_index ? toTrustIndex(event, session) : null
  const event_id = ctx.newId('protect_event')
  await insertProtectEvent(ctx, {
    event_id,
    kind: kindOf(event),
    event_timestamp: toUtc(event.timestamp),
    timestamp: timestamp === undefined ? ctx.now : toUtc(timestamp),
    protect_session_id: session,
    device_session_id: device_session_id ?? null,
    event,
    trust_index: trustIndex,
  })
  return {
    event_id,
    ...(request_trust_index ? { trust_index: trustIndex } : {}),
    ...(judges ? { fraud_attributes: {} } : {}),
  }
}
protectEventSend.single = true

/** The one kind that the contract lets an event have. */
const kindOf = (event: ProtectEventInput): string => kinds.find((kind) => event[kind]) ?? kinds[0]

const toUtc = (timestamp: string): string => toTimestamp(readTimestamp(timestamp))
