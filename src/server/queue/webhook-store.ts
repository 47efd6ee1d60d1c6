import type { Context } from '../kernel/context.ts'
import { openBody } from './seal-body.ts'

interface NewDelivery {
  webhook_id: string
  url: string
  item_id?: string
  webhook_type: string
  webhook_code: string
  body: string
  tamper?: string
}

/** Identifies a delivery among those of all clients. */
export interface DeliveryKey {
  client_id: string
  webhook_id: string
  /** The Item that the webhook is about. Null for other webhooks. */
  item_id: string | null
  url: string
}

/** A webhook that was written, delivered or not. */
export interface DeliveryRow {
  webhook_id: string
  sequence: number
  url: string
  webhook_type: string
  webhook_code: string
  body: string
  tamper: string | null
  status: 'pending' | 'delivered' | 'failed'
  /** Real time in ms. */
  due_at: number | null
  /** Real time in ms: no other process may attempt it earlier. */
  claimed_until: number | null
  asked: number
  /** Real time in ms of the last attempt. Null while another attempt is planned. */
  ended_at: number | null
}

const columns = `webhook_id, sequence, url, webhook_type, webhook_code, body, tamper, status, due_at,
  claimed_until, asked, ended_at`

/** Writes a webhook, due at once; its body is sealed already. */
export async function insertDelivery(ctx: Context, delivery: NewDelivery): Promise<void> {
  await ctx.own.run(
    `insert into webhook_deliveries
       (client_id, webhook_id, sequence, item_id, url, webhook_type, webhook_code, body, tamper,
        status, due_at)
     values ($1, $2,
       (select coalesce(max(sequence), 0) + 1 from webhook_deliveries where client_id = $1),
       $3, $4, $5, $6, $7, $8, 'pending', $9)`,
    [
      delivery.webhook_id,
      delivery.item_id ?? null,
      delivery.url,
      delivery.webhook_type,
      delivery.webhook_code,
      delivery.body,
      delivery.tamper ?? null,
      Date.parse(ctx.now) - ctx.client.clock_offset_ms,
    ],
  )
}

/** Makes a client's deliveries due earlier, when its clock moves forward. */
export async function advanceDeliveries(ctx: Context, ms: number): Promise<void> {
  await ctx.own.run(
    'update webhook_deliveries set due_at = due_at - $2 where client_id = $1 and due_at is not null',
    [ms],
  )
}

/** Cancels the deliveries about an Item, since it is removed. */
export async function stopDeliveries(ctx: Context, itemId: string): Promise<void> {
  await ctx.own.run(
    `update webhook_deliveries
        set due_at = null, asked = 0, ended_at = $3,
          status = case when status = 'pending' then 'failed' else status end
      where client_id = $1 and item_id = $2 and due_at is not null`,
    [itemId, ctx.nowMs - ctx.client.clock_offset_ms],
  )
}

/** Requests one more attempt, due immediately. Returns false if there is no such webhook. */
export const askForAttempt = async (
  ctx: Context,
  webhookId: string,
  now: number,
): Promise<boolean> =>
  (await ctx.own.run(
    `update webhook_deliveries set asked = asked + 1, due_at = $3, ended_at = null
      where client_id = $1 and webhook_id = $2`,
    [webhookId, now],
  )) > 0

/** A delivery, locked against other writes until the commit. */
export async function lockDelivery(
  ctx: Context,
  webhookId: string,
): Promise<DeliveryRow | undefined> {
  const row = await ctx.own.first<DeliveryRow>(
    `select ${columns} from webhook_deliveries where client_id = $1 and webhook_id = $2
      ${ctx.db.forUpdate}`,
    [webhookId],
  )
  return row && openBody(ctx.keys, row)
}

/** Locks the Item, so that only one process at a time checks which webhook of the Item is next. */
export async function lockToldItem(ctx: Context, itemId: string): Promise<void> {
  await ctx.own.first(
    `select item_id from items where client_id = $1 and item_id = $2 ${ctx.db.forUpdate}`,
    [itemId],
  )
}

/**
 * Whether a process has claimed another webhook of an Item. The caller has locked the Item, as
 * every process does before it claims.
 */
export async function isItemClaimed(
  ctx: Context,
  { item_id, webhook_id }: DeliveryKey,
  now: number,
): Promise<boolean> {
  const row = await ctx.own.first(
    `select webhook_id from webhook_deliveries
      where client_id = $1 and item_id = $2 and webhook_id <> $3 and claimed_until > $4 limit 1`,
    [item_id, webhook_id, now],
  )
  return row !== undefined
}

/** Claims a delivery, so that no other process attempts it. Null releases the claim. */
export async function claimDelivery(
  ctx: Context,
  webhookId: string,
  until: number | null,
): Promise<void> {
  await ctx.own.run(
    'update webhook_deliveries set claimed_until = $3 where client_id = $1 and webhook_id = $2',
    [webhookId, until],
  )
}

/** Writes the next state of a delivery, and releases the claim. */
export async function updateDelivery(
  ctx: Context,
  row: Pick<DeliveryRow, 'webhook_id' | 'status' | 'due_at' | 'asked' | 'ended_at'>,
): Promise<void> {
  await ctx.own.run(
    `update webhook_deliveries
        set status = $3, due_at = $4, asked = $5, ended_at = $6, claimed_until = null
      where client_id = $1 and webhook_id = $2`,
    [row.webhook_id, row.status, row.due_at, row.asked, row.ended_at],
  )
}

/** The client's webhooks before a sequence number, newest first. */
export async function listDeliveries(
  ctx: Context,
  before: number,
  count: number,
): Promise<DeliveryRow[]> {
  const rows = await ctx.own.all<DeliveryRow>(
    `select ${columns} from webhook_deliveries where client_id = $1 and sequence < $2
      order by sequence desc limit $3`,
    [before, count],
  )
  return rows.map((row) => openBody(ctx.keys, row))
}
