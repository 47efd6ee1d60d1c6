import { insertRows } from '../db/insert-rows.ts'
import type { Queries } from '../kernel/database.ts'
import type { JobRow } from './job-store.ts'

/** A job that failed for good. */
export interface DeadJobRow extends Pick<JobRow, 'client_id' | 'job_id' | 'kind' | 'payload'> {
  attempts: number
  /** In real ms, the last attempt. */
  failed_at: number
  /** Why that one failed, without secrets. */
  error: string
}

export const insertDeadJob = (db: Queries, job: DeadJobRow): Promise<number> =>
  insertRows(db, 'dead_jobs', [{ ...job }])

/** The dead jobs of all clients, those that failed last first. */
export const listDeadJobs = (db: Queries, limit: number) =>
  db.all<DeadJobRow>(
    `select client_id, job_id, kind, payload, attempts, failed_at, error
      from dead_jobs order by failed_at desc, job_id limit $1`,
    [limit],
  )

/** How many there are, up to a limit. */
export const countDeadJobs = async (db: Queries, limit: number): Promise<number> =>
  (
    await db.first<{ count: number }>(
      'select count(*) as count from (select job_id from dead_jobs limit $1) as counted',
      [limit],
    )
  )?.count ?? 0

/** Schedules a dead job again with all its attempts, due at a moment in real ms. Returns how many. */
export async function reviveDeadJob(
  db: Queries,
  { client_id, job_id }: Pick<DeadJobRow, 'client_id' | 'job_id'>,
  dueAt: number,
): Promise<number> {
  const revived = await db.run(
    `insert into jobs (client_id, job_id, kind, payload, due_at)
      select client_id, job_id, kind, payload, cast($3 as bigint)
        from dead_jobs where client_id = $1 and job_id = $2`,
    [client_id, job_id, dueAt],
  )
  await db.run('delete from dead_jobs where client_id = $1 and job_id = $2', [client_id, job_id])
  return revived
}
