import type { Queries } from '../kernel/database.ts'
import type { DeliveryKey } from './webhook-store.ts'

// Due webhooks of all clients. Each statement reads a limited number of rows, however many are due.

/** How many rows are searched for webhooks that can be delivered. */
const window = 1000
/** Of so few rows the endpoints are those of the rows. */
const fewDue = 100

/** Every endpoint with a due delivery, the one with the longest wait first. */
export async function listDueEndpoints(db: Queries, now: number): Promise<string[]> {
  const oldest = await db.all<{ url: string }>(
    `select url from webhook_deliveries where due_at <= $1 order by due_at limit ${fewDue}`,
    [now],
  )
  const urls = oldest.map(({ url }) => url)
  return oldest.length < fewDue ? [...new Set(urls)] : listAllDueEndpoints(db, now)
}

/**
 * The recursion jumps from one endpoint to the next, so the number of rows per endpoint does not
 * matter.
 */
async function listAllDueEndpoints(db: Queries, now: number): Promise<string[]> {
  const rows = await db.all<{ url: string }>(
    `with recursive endpoint (url) as (
       select min(url) from webhook_deliveries where due_at is not null
       union all
       select (select min(d.url) from webhook_deliveries d
           where d.url > endpoint.url and d.due_at is not null)
         from endpoint where endpoint.url is not null
     ), waiting as (
       select endpoint.url as url,
           (select min(d.due_at) from webhook_deliveries d
             where d.url = endpoint.url and d.due_at is not null) as due_at
         from endpoint where endpoint.url is not null
     )
     select url from waiting where due_at <= $1 order by due_at, url`,
    [now],
  )
  return rows.map(({ url }) => url)
}

/**
 * The deliveries of an endpoint with the longest wait: the first of each Item, unless an attempt is
 * in progress. If one Item fills the window, the others wait.
 */
export const listDueAt = (db: Queries, url: string, now: number, limit: number) =>
  db.all<DeliveryKey>(
    `select client_id, webhook_id, item_id, url
      from (select client_id, webhook_id, item_id, url, due_at, sequence, claimed_until
        from webhook_deliveries where url = $1 and due_at <= $2
        order by due_at, sequence limit ${window}) d
      where (claimed_until is null or claimed_until <= $2)
        and not exists (select 1 from webhook_deliveries earlier
          where earlier.client_id = d.client_id and earlier.item_id = d.item_id
            and earlier.due_at is not null
            and (earlier.due_at, earlier.sequence) < (d.due_at, d.sequence))
      order by due_at, sequence limit $3`,
    [url, now, limit],
  )

/** The last row of a page of due deliveries. */
interface DuePosition {
  due_at: number
  sequence: number
}

/** Before the first page. */
export const firstPosition: DuePosition = { due_at: Number.MIN_SAFE_INTEGER, sequence: 0 }

/** A page of a client's due deliveries, after the last row of the previous page. */
export const listDueFor = (db: Queries, clientId: string, now: number, after: DuePosition) =>
  db.all<DeliveryKey & DuePosition>(
    `select client_id, webhook_id, item_id, url, due_at, sequence from webhook_deliveries
      where client_id = $1 and due_at <= $2 and (due_at, sequence) > ($3, $4)
      order by due_at, sequence limit ${window}`,
    [clientId, now, after.due_at, after.sequence],
  )

/** When the next attempt becomes due, in real time. Ignores those that are due already. */
export const findNextDelivery = async (db: Queries, now: number): Promise<number | null> =>
  (
    await db.first<{ due: number | null }>(
      'select min(due_at) as due from webhook_deliveries where due_at > $1',
      [now],
    )
  )?.due ?? null
