import type { Context } from '../kernel/context.ts'
import type { Queries } from '../kernel/database.ts'

export interface JobRow {
  client_id: string
  job_id: string
  kind: string
  payload: string
  due_at: number
  attempts: number
}

interface NewJob {
  kind: string
  payload: unknown
  due_at: number
}

export async function insertJob(ctx: Context, job: NewJob): Promise<void> {
  await ctx.own.run(
    'insert into jobs (client_id, job_id, kind, payload, due_at) values ($1, $2, $3, $4, $5)',
    [ctx.newId('row'), job.kind, JSON.stringify(job.payload), job.due_at],
  )
}

/** How many due jobs are read to find their clients. */
const window = 1000

/** Every client with a due job, the one with the longest wait first. */
export async function listDueClients(db: Queries, now: number): Promise<string[]> {
  const oldest = await db.all<{ client_id: string }>(
    `select client_id from jobs where due_at <= $1 order by due_at limit ${window}`,
    [now],
  )
  const clients = oldest.map(({ client_id }) => client_id)
  return oldest.length < window ? [...new Set(clients)] : listAllDueClients(db, now)
}

/**
 * The recursion jumps from one client to the next, so the number of rows per client does not
 * matter.
 */
async function listAllDueClients(db: Queries, now: number): Promise<string[]> {
  const rows = await db.all<{ client_id: string }>(
    `with recursive client (client_id) as (
       select min(client_id) from jobs
       union all
       select (select min(j.client_id) from jobs j where j.client_id > client.client_id)
         from client where client.client_id is not null
     ), waiting as (
       select client.client_id as client_id,
           (select min(j.due_at) from jobs j where j.client_id = client.client_id) as due_at
         from client where client.client_id is not null
     )
     select client_id from waiting where due_at <= $1 order by due_at, client_id`,
    [now],
  )
  return rows.map(({ client_id }) => client_id)
}

/** Every client with a due job or delivery. */
export const listClientsWithWork = (db: Queries, now: number) =>
  db.all<{ client_id: string }>(
    `select client_id from jobs where due_at <= $1
      union select client_id from webhook_deliveries where due_at <= $1
      order by client_id`,
    [now],
  )

/**
 * The due job of a client with the longest wait, of these kinds only. A newer program runs the
 * kinds that this one does not know.
 */
export const findDueJob = (db: Queries, clientId: string, now: number, kinds: readonly string[]) =>
  db.first<JobRow>(
    `select client_id, job_id, kind, payload, due_at, attempts from jobs
      where client_id = $1 and due_at <= $2 and kind in (${kinds.map((_, place) => `$${place + 3}`)})
      order by due_at, job_id limit 1`,
    [clientId, now, ...kinds],
  )

/** Deletes a job. Returns 0 if it was deleted before. */
export const deleteJob = (db: Queries, { client_id, job_id }: JobRow): Promise<number> =>
  db.run('delete from jobs where client_id = $1 and job_id = $2', [client_id, job_id])

/** Postpones a job after a failed attempt. */
export async function postponeJob(
  db: Queries,
  { client_id, job_id }: JobRow,
  { dueAt, attempts }: { dueAt: number; attempts: number },
): Promise<void> {
  await db.run('update jobs set due_at = $3, attempts = $4 where client_id = $1 and job_id = $2', [
    client_id,
    job_id,
    dueAt,
    attempts,
  ])
}

/** When the next job becomes due, in real time. Ignores those that are due already. */
export const findNextDue = async (db: Queries, now: number): Promise<number | null> =>
  (
    await db.first<{ due: number | null }>(
      'select min(due_at) as due from jobs where due_at > $1',
      [now],
    )
  )?.due ?? null

/** Makes a client's jobs due earlier, when its clock moves forward. */
export async function advanceJobs(ctx: Context, ms: number): Promise<void> {
  await ctx.own.run('update jobs set due_at = due_at - $2 where client_id = $1', [ms])
}

/** Cancels a client's jobs with exactly this payload. */
export async function deleteJobs(ctx: Context, kind: string, payload: object): Promise<void> {
  await ctx.own.run(
    `delete from jobs where client_id = $1 and kind = $2 and payload = $3
        and substr(payload, 1, 200) = substr($3, 1, 200)`,
    [kind, JSON.stringify(payload)],
  )
}
