import type { DashboardWebhookStatus } from '../../../../generated/dashboard/closed.ts'
import type { Context } from '../../kernel/context.ts'
import type { DeliveryRow } from '../../queue/webhook-store.ts'
import type { Filter } from '../filter.ts'

/** A webhook and its last attempt. */
export interface WebhookRow
  extends Pick<
    DeliveryRow,
    'webhook_id' | 'sequence' | 'webhook_type' | 'webhook_code' | 'url' | 'status' | 'due_at'
  > {
  item_id: string | null
  attempts: number
  /** In ms by the client's clock; null before the first attempt. */
  attempted_at: number | null
  status_code: number | null
  error: string | null
}

/** A column of the last attempt. A join would make PostgreSQL read all attempts of the client. */
const ofLast = (column: string): string =>
  `(select ${column} from webhook_attempts as tried where tried.client_id = $1
      and tried.webhook_id = sent.webhook_id order by number desc limit 1)`

const isTried = `exists (select 1 from webhook_attempts as tried where tried.client_id = $1
  and tried.webhook_id = sent.webhook_id)`

/** How far a delivery has come: one that is attempted again is told apart. Only those that wait are looked at twice. */
export const fateColumn = `case when status = 'pending' and ${isTried} then 'retrying' else status end`

/** The condition of deliveries that have come so far. */
export const fateConditions: Readonly<Record<DashboardWebhookStatus, string>> = {
  pending: ` and status = 'pending' and not ${isTried}`,
  retrying: ` and status = 'pending' and ${isTried}`,
  delivered: " and status = 'delivered'",
  failed: " and status = 'failed'",
}

/** The client's webhooks before a sequence number, the newest first. */
export const listWebhookPage = (ctx: Context, before: number, limit: number, filter: Filter) =>
  ctx.own.all<WebhookRow>(
    `select webhook_id, sequence, webhook_type, webhook_code, item_id, url, status, due_at,
        coalesce(${ofLast('number')}, 0) as attempts, ${ofLast('attempted_at')} as attempted_at,
        ${ofLast('status_code')} as status_code, ${ofLast('error')} as error
      from webhook_deliveries as sent where client_id = $1 and sequence < $2${filter.sql}
      order by sequence desc limit $3`,
    [before, limit, ...filter.values],
  )

/** An attempt beside its webhook. Without attempts there is one row, whose `tried_number` is null. */
export interface TriedWebhookRow extends Omit<WebhookRow, 'attempts'> {
  body: string
  tried_number: number | null
  tried_url: string | null
  succeeded: number | null
  duration_ms: number | null
  answer_bytes: number | null
  /** Encrypted. */
  answer: string | null
  signature: string | null
  /** 1: somebody asked for it. */
  requested: number | null
}

/** A webhook with its attempts, the first one first. */
export const listTriesOf = (ctx: Context, webhookId: string) =>
  ctx.own.all<TriedWebhookRow>(
    `select sent.webhook_id, sequence, webhook_type, webhook_code, item_id, sent.url, status, due_at,
        body, number as tried_number, tried.url as tried_url, attempted_at, succeeded, status_code,
        error, duration_ms, answer_bytes, answer, signature, requested
      from webhook_deliveries as sent
        left join webhook_attempts as tried on tried.client_id = $1
          and tried.webhook_id = sent.webhook_id
      where sent.client_id = $1 and sent.webhook_id = $2 order by number`,
    [webhookId],
  )
