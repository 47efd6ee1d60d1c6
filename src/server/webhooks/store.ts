import type { Context } from '../context.ts'

interface NewDelivery {
  url: string
  item_id?: string
  webhook_type: string
  webhook_code: string
  body: object
  tamper?: string
}

/** Writes a webhook, due at once. */
export async function insertDelivery(ctx: Context, delivery: NewDelivery): Promise<string> {
  const webhookId = ctx.newId('uuid')
  await ctx.db.run(
    `insert into webhook_deliveries
       (client_id, webhook_id, sequence, item_id, url, webhook_type, webhook_code, body, tamper,
        status, due_at)
     values ($1, $2,
       (select coalesce(max(sequence), 0) + 1 from webhook_deliveries where client_id = $1),
       $3, $4, $5, $6, $7, $8, 'pending', $9)`,
    [
      ctx.client.client_id,
      webhookId,
      delivery.item_id ?? null,
      delivery.url,
      delivery.webhook_type,
      delivery.webhook_code,
      JSON.stringify(delivery.body, null, 2),
      delivery.tamper ?? null,
      Date.parse(ctx.now) - ctx.client.clock_offset_ms,
    ],
  )
  return webhookId
}

/** Moves what waits for a client nearer, as its clock moves on. */
export async function advanceDeliveries(ctx: Context, ms: number): Promise<void> {
  await ctx.db.run(
    'update webhook_deliveries set due_at = due_at - $2 where client_id = $1 and due_at is not null',
    [ctx.client.client_id, ms],
  )
}
