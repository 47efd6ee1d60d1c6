import type { Queries } from '../kernel/database.ts'
import type { DeliveryRow } from '../queue/webhook-store.ts'

/** A webhook without its body, and its last attempt. */
export interface ListedDelivery
  extends Pick<
    DeliveryRow,
    'webhook_id' | 'webhook_type' | 'webhook_code' | 'url' | 'status' | 'due_at'
  > {
  client_id: string
  attempts: number
  /** In ms by the client's clock; null before the first attempt. */
  attempted_at: number | null
  succeeded: number | null
  status_code: number | null
  error: string | null
}

/** The latest webhooks of a client, the last one first. */
export const listClientDeliveries = (
  db: Queries,
  clientId: string,
  count: number,
): Promise<ListedDelivery[]> =>
  db.all<ListedDelivery>(
    `select sent.client_id, sent.webhook_id, webhook_type, webhook_code, sent.url, status, due_at,
        coalesce(number, 0) as attempts, attempted_at, succeeded, status_code, error
      from (select client_id, webhook_id, webhook_type, webhook_code, url, status, due_at, sequence
          from webhook_deliveries where client_id = $1
          order by sequence desc limit $2) as sent
        left join webhook_attempts as tried on tried.client_id = $1
          and tried.webhook_id = sent.webhook_id
          and number = (select max(number) from webhook_attempts as earlier
            where earlier.client_id = $1 and earlier.webhook_id = sent.webhook_id)
      order by sequence desc`,
    [clientId, count],
  )
