import type { Context } from '../../kernel/context.ts'
import type { JobRow } from '../../queue/job-store.ts'

/** A place among what is due: a time in real ms, and what tells rows of one time apart. */
interface DuePlace<Key> {
  due: number
  key: Key
}

type ListedJob = Pick<JobRow, 'job_id' | 'kind' | 'payload' | 'due_at' | 'attempts'>

/** The client's jobs after one of them, the next one first. */
export const listJobsAfter = (ctx: Context, { due, key }: DuePlace<string>, limit: number) =>
  ctx.own.all<ListedJob>(
    `select job_id, kind, payload, due_at, attempts from jobs
      where client_id = $1 and (due_at, job_id) > ($2, $3)
      order by due_at, job_id limit $4`,
    [due, key, limit],
  )

interface ListedDelivery {
  webhook_id: string
  sequence: number
  item_id: string | null
  webhook_type: string
  webhook_code: string
  due_at: number
  attempts: number
}

/** The client's planned attempts of webhooks after one of them, the next one first. */
export const listDeliveriesAfter = (ctx: Context, { due, key }: DuePlace<number>, limit: number) =>
  ctx.own.all<ListedDelivery>(
    `select webhook_id, sequence, item_id, webhook_type, webhook_code, due_at,
        (select count(*) from webhook_attempts as attempts
          where attempts.client_id = $1
            and attempts.webhook_id = webhook_deliveries.webhook_id) as attempts
      from webhook_deliveries
      where client_id = $1 and due_at is not null and (due_at, sequence) > ($2, $3)
      order by due_at, sequence limit $4`,
    [due, key, limit],
  )
