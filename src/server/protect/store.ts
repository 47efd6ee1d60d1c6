import type { ProtectEventInput, ProtectTrustIndex } from '#contract/types.ts'
import type { Context } from '../kernel/context.ts'

export interface NewProtectEvent {
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
  await ctx.db.run(
    `insert into protect_events
       (client_id, event_id, kind, event_timestamp, timestamp, protect_session_id,
        device_session_id, event, trust_index, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      ctx.client.client_id,
      event.event_id,
      event.kind,
      event.event_timestamp,
      event.timestamp,
      event.protect_session_id,
      event.device_session_id,
      JSON.stringify(event.event),
      event.trust_index === null ? null : JSON.stringify(event.trust_index),
      ctx.now,
    ],
  )
}
