import type { Service } from '../kernel/service.ts'
import { toTimestamp } from '../kernel/time.ts'
import { askForAttempt } from '../queue/webhook-store.ts'
import { rotateKey } from '../webhooks/key.ts'
import { asClient } from './as-client.ts'
import { audit } from './audit.ts'
import { requireClient } from './client-command.ts'
import { listClients } from './client-store.ts'
import { OperatorError } from './operator-error.ts'
import { type ListedDelivery, listClientDeliveries } from './webhook-store.ts'

/** What an operator does with webhooks and the keys that sign them: of a client, or of all. */
export type WebhookCommand =
  | { webhook: 'list'; client_id?: string; count: number }
  | { webhook: 'redeliver'; client_id: string; id: string }
  | { webhook_key: 'rotate'; client_id?: string }

/** A webhook without its body, which may hold what is private. */
export interface ListedWebhook {
  webhook_id: string
  client_id: string
  type: string
  code: string
  url: string
  status: ListedDelivery['status']
  attempts: number
  /** Why the last attempt failed, if it did. */
  last_error: string | null
  next_attempt_at: string | null
}

/** A key that signs from now on. */
export interface NewKey {
  client_id: string
  key_id: string
}

/** The webhooks that a command concerns, or the new keys. */
export type WebhooksDone = { webhooks: ListedWebhook[] } | { keys: NewKey[] }

/** Carries out a command about webhooks. */
export async function runWebhookCommand(
  service: Service,
  command: WebhookCommand,
  actor: string,
): Promise<WebhooksDone> {
  if ('webhook_key' in command) {
    const keys: NewKey[] = []
    for (const client_id of await listIds(service, command.client_id)) {
      keys.push({ client_id, key_id: await rotate(service, client_id, actor) })
    }
    return { keys }
  }
  if (command.webhook === 'list') return listWebhooks(service, command)
  const { client_id, id } = command
  return asClient(service, client_id, async (ctx) => {
    if (!(await askForAttempt(ctx, id, service.clock()))) {
      throw new OperatorError(`the client has no webhook ${id}: \`webhook list\` shows the latest`)
    }
    ctx.beginDueWork()
    await audit(service, ctx.db, { actor, action: 'webhook.redeliver', client_id, subject: id })
    return { webhooks: [] }
  })
}

/** The client that is named, or all. */
const listIds = ({ database }: Service, clientId: string | undefined): Promise<string[]> =>
  database.read(async (db) => {
    const rows =
      clientId === undefined ? await listClients(db) : [await requireClient(db, clientId)]
    return rows.map(({ client_id }) => client_id)
  })

const rotate = (service: Service, client_id: string, actor: string): Promise<string> =>
  asClient(service, client_id, async (ctx) => {
    const key_id = await rotateKey(ctx)
    const action = 'webhook-key.rotate'
    await audit(service, ctx.db, { actor, action, client_id, subject: key_id })
    return key_id
  })

async function listWebhooks(
  service: Service,
  { client_id, count }: Extract<WebhookCommand, { webhook: 'list' }>,
): Promise<WebhooksDone> {
  const rows: ListedDelivery[] = []
  for (const id of await listIds(service, client_id)) {
    rows.push(...(await service.database.read((db) => listClientDeliveries(db, id, count))))
  }
  // Those of one client are in their order already.
  if (client_id === undefined) rows.sort((one, other) => lastTried(other) - lastTried(one))
  return { webhooks: rows.slice(0, count).map(toListed) }
}

/** What was not tried yet was sent last. */
const lastTried = ({ attempted_at }: ListedDelivery): number =>
  Number(attempted_at ?? Number.MAX_SAFE_INTEGER)

const toListed = (row: ListedDelivery): ListedWebhook => ({
  webhook_id: row.webhook_id,
  client_id: row.client_id,
  type: row.webhook_type,
  code: row.webhook_code,
  url: row.url,
  status: row.status,
  attempts: row.attempts,
  last_error: row.succeeded === 0 ? (row.error ?? `status ${row.status_code}`) : null,
  next_attempt_at: row.due_at === null ? null : toTimestamp(Number(row.due_at)),
})
