import { insertRow } from '../db/insert-rows.ts'
import type { Context } from '../kernel/context.ts'

export interface WebhookKeyRow {
  key_id: string
  x: string
  y: string
  /** Encrypted. */
  private_key: string
  created_at: number
  expired_at: number | null
}

const columns = 'key_id, x, y, private_key, created_at, expired_at'

export const findKey = (ctx: Context, keyId: string) =>
  ctx.own.first<WebhookKeyRow>(
    `select ${columns} from webhook_keys where client_id = $1 and key_id = $2`,
    [keyId],
  )

export const findCurrentKey = (ctx: Context) =>
  ctx.own.first<WebhookKeyRow>(
    `select ${columns} from webhook_keys where client_id = $1 and expired_at is null`,
  )

/** Writes the client's current key, unless it has one. */
export const insertKey = (ctx: Context, key: WebhookKeyRow): Promise<boolean> =>
  insertRow(ctx, 'webhook_keys', { ...key }, 'on conflict do nothing')

export async function expireKeys(ctx: Context, expiredAt: number): Promise<void> {
  await ctx.own.run(
    'update webhook_keys set expired_at = $2 where client_id = $1 and expired_at is null',
    [expiredAt],
  )
}
