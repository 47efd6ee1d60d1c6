import type { ProtectEventInput, ProtectTrustIndex } from '#contract/closed.ts'
import { insertRow } from '../db/insert-rows.ts'
import type { Context } from '../kernel/context.ts'

interface NewProtectEvent {
  event_id: string
  kind: string
  event_timestamp: string
  timestamp: string
  protect_session_id: string | null
  device_session_id: string | null
  event: ProtectEventInput
  trust_index: ProtectTrustIndex | null
}

export async function insertProtectEvent(ctx: Context, event: NewProtectEvent): Promise<void> {
  await insertRow(ctx, 'protect_events', {
    ...event,
    event: JSON.stringify(event.event),
    trust_index: event.trust_index === null ? null : JSON.stringify(event.trust_index),
    created_at: ctx.now,
  })
}
