import type { ClientRow, Context } from '../kernel/context.ts'
import { openBody } from './seal-body.ts'
import type { DeliveryRow } from './webhook-store.ts'

/** For how long webhooks are stored for listeners, and listening goes on after the last call for it. */
export const listenedMs = 3_600_000

/** Whether somebody listens for the webhooks of a client, at a moment in real ms. */
export const isListenedTo = ({ listens_until }: ClientRow, now: number): boolean =>
  Number(listens_until ?? 0) > now

/** A webhook that is stored for listeners. */
export interface ListenedRow
  extends Pick<DeliveryRow, 'webhook_id' | 'webhook_type' | 'webhook_code' | 'body' | 'tamper'> {
  sequence: number
}

type NewListened = Omit<ListenedRow, 'sequence'>

const columns = 'sequence, webhook_id, webhook_type, webhook_code, body, tamper'

/**
 * Stores a webhook for listeners; its body is sealed already. Two transactions that choose the same
 * number collide, and one of them begins again. So a number is visible only with all before it.
 */
export async function insertListened(ctx: Context, row: NewListened): Promise<void> {
  await ctx.own.run(
    `insert into listened_webhooks
       (client_id, sequence, webhook_id, webhook_type, webhook_code, body, tamper, stored_at)
     values ($1,
       (select coalesce(max(sequence), 0) + 1 from listened_webhooks where client_id = $1),
       $2, $3, $4, $5, $6, $7)`,
    [...[row.webhook_id, row.webhook_type, row.webhook_code, row.body, row.tamper], ctx.realMs()],
  )
}

/** The webhooks after a number, oldest first. */
export async function listListened(
  ctx: Context,
  after: number,
  count: number,
): Promise<ListenedRow[]> {
  const rows = await ctx.own.all<ListenedRow>(
    `select ${columns} from listened_webhooks where client_id = $1 and sequence > $2
      order by sequence limit $3`,
    [after, count],
  )
  return rows.map((row) => openBody(ctx.keys, row))
}

/** Stores a webhook once more for listeners, by a row of it or else its delivery: all have one body. Returns whether there was one. */
export async function repeatListened(ctx: Context, webhookId: string): Promise<boolean> {
  const row =
    (await ctx.own.first<ListenedRow>(
      `select ${columns} from listened_webhooks where client_id = $1 and webhook_id = $2 limit 1`,
      [webhookId],
    )) ??
    (await ctx.own.first<NewListened>(
      `select webhook_id, webhook_type, webhook_code, body, tamper from webhook_deliveries
        where client_id = $1 and webhook_id = $2`,
      [webhookId],
    ))
  if (row) await insertListened(ctx, row)
  return row !== undefined
}

/** How a client is listened to. */
export interface Listening {
  resets: number
  listens: number
  listens_until: number | null
  /** The number of the latest webhook; 0 before the first. */
  newest: number
}

export const findListening = (ctx: Context) =>
  ctx.own.first<Listening>(
    `select resets, listens, listens_until,
        (select coalesce(max(sequence), 0) from listened_webhooks where client_id = $1) as newest
      from clients where client_id = $1`,
  )

/** Lets listening go on until a later moment, or begin. Both are real ms. */
export async function extendListening(ctx: Context, now: number, until: number): Promise<void> {
  await ctx.own.run(
    `update clients set listens_until = $3,
        listens = listens + case when listens_until > $2 then 0 else 1 end
      where client_id = $1`,
    [now, until],
  )
}
