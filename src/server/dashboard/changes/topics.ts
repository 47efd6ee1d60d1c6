import type { DashboardRole } from '../../../../generated/dashboard/closed.ts'
import type { Queries } from '../../kernel/database.ts'

/**
 * A list of which browsers are told that it has changed. The statement reads what its first page
 * shows, or what changes with that page.
 */
interface Topic {
  name: string
  roles: readonly DashboardRole[]
  sql: string
}

const technical: readonly DashboardRole[] = ['developer', 'admin']
const firstPage = 50

export const topics: readonly Topic[] = [
  {
    name: 'requests',
    roles: technical,
    sql: `select sequence, request_id from request_log where client_id = $1
      order by sequence desc limit 1`,
  },
  {
    name: 'webhooks',
    roles: technical,
    sql: `select webhook_id, status, due_at,
        (select max(number) from webhook_attempts as tried where tried.client_id = $1
          and tried.webhook_id = sent.webhook_id) as attempts
      from webhook_deliveries as sent where client_id = $1
      order by sequence desc limit ${firstPage}`,
  },
  {
    name: 'verifications',
    roles: ['reviewer', 'developer', 'admin'],
    sql: `select id, status, revision from identity_verifications where client_id = $1
      order by created_at desc, id desc limit ${firstPage}`,
  },
]

/** The names of the lists that a role may look at. */
export const topicsOf = (role: DashboardRole): string[] =>
  topics.filter(({ roles }) => roles.includes(role)).map(({ name }) => name)

/** What a list shows now, as a text that differs from the one before where the list has changed. */
export async function readTopic(db: Queries, clientId: string, name: string): Promise<string> {
  const topic = topics.find((one) => one.name === name)
  return JSON.stringify(topic ? await db.all(topic.sql, [clientId]) : [])
}
