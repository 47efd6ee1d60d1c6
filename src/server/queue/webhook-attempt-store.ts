import type { Context } from '../kernel/context.ts'

/** How many bytes of a response are kept. An error message fits; a page of a proxy is cut. */
export const keptAnswerBytes = 2048

export interface AttemptRow {
  webhook_id: string
  /** In ms by the client's clock. */
  attempted_at: number
  status_code: number | null
  error: string | null
}

/** The results of the latest attempts at an endpoint. */
export interface EndpointRecord {
  attempts: number
  rejected: number
}

interface NewAttempt extends Pick<AttemptRow, 'status_code' | 'error'> {
  webhook_id: string
  url: string
  attempted_at: number
  succeeded: boolean
  /** Whether somebody asked for it, so that it takes the place of no planned one. */
  requested: boolean
  duration_ms: number
  /** How many bytes of the response body were read. Null without a response. */
  answer_bytes: number | null
  /** Encrypted: the beginning of the response body. Null where it is empty or not stored. */
  answer: string | null
  /** The JWT that was sent. */
  signature: string
}

export async function insertAttempt(ctx: Context, attempt: NewAttempt): Promise<void> {
  await ctx.own.run(
    `insert into webhook_attempts
       (client_id, webhook_id, number, url, attempted_at, succeeded, status_code, error,
        duration_ms, answer_bytes, answer, signature, requested)
     values ($1, $2,
       (select count(*) + 1 from webhook_attempts where client_id = $1 and webhook_id = $2),
       $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      attempt.webhook_id,
      attempt.url,
      attempt.attempted_at,
      attempt.succeeded ? 1 : 0,
      attempt.status_code,
      attempt.error,
      attempt.duration_ms,
      attempt.answer_bytes,
      attempt.answer,
      attempt.signature,
      attempt.requested ? 1 : 0,
    ],
  )
}

interface AttemptCount {
  made: number
  /** Those that nobody asked for. */
  planned: number
  first_at: number | null
}

/** The number of attempts at a delivery, and the time of the first. */
export async function countAttempts(ctx: Context, webhookId: string): Promise<AttemptCount> {
  const row = await ctx.own.first<AttemptCount>(
    `select count(*) as made, count(case when requested = 0 then 1 end) as planned,
        min(attempted_at) as first_at
      from webhook_attempts where client_id = $1 and webhook_id = $2`,
    [webhookId],
  )
  return row ?? { made: 0, planned: 0, first_at: null }
}

/** The attempts of the webhooks between two sequence numbers, oldest first. */
export const listAttempts = (ctx: Context, first: number, last: number) =>
  ctx.own.all<AttemptRow>(
    `select a.webhook_id, a.attempted_at, a.status_code, a.error
      from webhook_deliveries d
        join webhook_attempts a on a.client_id = d.client_id and a.webhook_id = d.webhook_id
      where d.client_id = $1 and d.sequence between $2 and $3
      order by d.sequence, a.number`,
    [first, last],
  )

/**
 * How many of an endpoint's attempts are read. The latest are sufficient, and the limit keeps the
 * statement fast.
 */
const judgedAttempts = 1000

/** The results of the client's attempts at an endpoint since a given time. */
export async function findEndpointRecord(
  ctx: Context,
  url: string,
  since: number,
): Promise<EndpointRecord> {
  const row = await ctx.own.first<EndpointRecord>(
    `select count(*) as attempts, count(case when succeeded = 0 then 1 end) as rejected
      from (select succeeded from webhook_attempts
        where client_id = $1 and url = $2 and attempted_at > $3
        order by attempted_at desc limit ${judgedAttempts}) latest`,
    [url, since],
  )
  return row ?? { attempts: 0, rejected: 0 }
}
