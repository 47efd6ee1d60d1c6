import { findClient } from '../clients/store.ts'
import type { Service } from '../kernel/service.ts'
import { toTimestamp } from '../kernel/time.ts'
import { createContext } from '../pipeline/create-context.ts'
import { askForAttempt, type DeliveryRow, listDeliveries } from '../queue/webhook-store.ts'
import { rotateKey } from '../webhooks/key.ts'
import { asClient } from './as-client.ts'
import { audit } from './audit.ts'
import { OperatorError } from './operator-error.ts'

/** What an operator does with webhooks and the keys that sign them. */
export type WebhookCommand =
  | { webhook: 'list'; client_id: string; count: number }
  | { webhook: 'redeliver'; client_id: string; id: string }
  | { webhook_key: 'rotate'; client_id: string }

/** A webhook without its body, which may hold what is private. */
export interface ListedWebhook {
  webhook_id: string
  type: string
  code: string
  url: string
  status: DeliveryRow['status']
  next_attempt_at: string | null
}

/** The webhooks that a command concerns, or the id of the new key. */
export type WebhooksDone = { webhooks: ListedWebhook[] } | { key_id: string }

/** Carries out a command about webhooks. */
export async function runWebhookCommand(
  service: Service,
  command: WebhookCommand,
  actor: string,
): Promise<WebhooksDone> {
  const { client_id } = command
  if ('webhook_key' in command) {
    return asClient(service, client_id, async (ctx) => {
      const key_id = await rotateKey(ctx)
      const action = 'webhook-key.rotate'
      await audit(service, ctx.db, { actor, action, client_id, subject: key_id })
      return { key_id }
    })
  }
  if (command.webhook === 'list') return listWebhooks(service, command)
  return asClient(service, client_id, async (ctx) => {
    const { id } = command
    if (!(await askForAttempt(ctx, id, service.clock()))) {
      throw new OperatorError(`the client has no webhook ${id}: \`webhook list\` shows the latest`)
    }
    ctx.beginDueWork()
    await audit(service, ctx.db, { actor, action: 'webhook.redeliver', client_id, subject: id })
    return { webhooks: [] }
  })
}

const listWebhooks = (
  service: Service,
  { client_id, count }: Extract<WebhookCommand, { webhook: 'list' }>,
): Promise<WebhooksDone> =>
  service.database.read(async (db) => {
    const client = await findClient(db, client_id)
    if (!client) throw new OperatorError(`there is no client ${client_id}`)
    const { ctx } = createContext(service, db, { client, now: service.clock() })
    const rows = await listDeliveries(ctx, Number.MAX_SAFE_INTEGER, count)
    return { webhooks: rows.map(toListed) }
  })

const toListed = (row: DeliveryRow): ListedWebhook => ({
  webhook_id: row.webhook_id,
  type: row.webhook_type,
  code: row.webhook_code,
  url: row.url,
  status: row.status,
  next_attempt_at: row.due_at === null ? null : toTimestamp(Number(row.due_at)),
})
