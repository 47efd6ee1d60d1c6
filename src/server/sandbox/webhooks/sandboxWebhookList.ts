import { readListCursor, toListCursor } from '../../kernel/list-cursor.ts'
import type { HandlerOf } from '../../kernel/operation.ts'
import { listAttempts } from '../../queue/webhook-attempt-store.ts'
import { listDeliveries } from '../../queue/webhook-store.ts'
import { toSandboxWebhookDelivery } from './delivery.ts'

const defaultCount = 100

export const sandboxWebhookList: HandlerOf<'sandboxWebhookList'> = async (ctx, { body }) => {
  const { cursor = null, count = defaultCount } = body
  const before = cursor === null ? Number.MAX_SAFE_INTEGER : readListCursor('webhooks', cursor)
  const rows = await listDeliveries(ctx, before, count + 1)
  const page = rows.slice(0, count)
  const [newest, oldest] = [page.at(0), page.at(-1)]
  if (!newest || !oldest) return { webhooks: [], next_cursor: null }
  const attempts = await listAttempts(ctx, oldest.sequence, newest.sequence)
  return {
    webhooks: page.map((row) => toSandboxWebhookDelivery(row, attempts)),
    next_cursor: rows.length > count ? toListCursor('webhooks', oldest.sequence) : null,
  }
}
sandboxWebhookList.reads = true
