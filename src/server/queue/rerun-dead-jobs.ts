import type { Database } from '../kernel/database.ts'
import { type DeadJobRow, listDeadJobs, reviveDeadJob } from './dead-job-store.ts'

/** A command of an operator about dead jobs. */
export type JobsCommand = { jobs: 'list' } | { jobs: 'rerun'; ids: readonly string[] | 'all' }

/** The dead jobs, or the ids that are scheduled again and those of no dead job. */
export type JobsDone = { dead: DeadJobRow[] } | { revived: string[]; unknown: string[] }

/** How many dead jobs are listed at most. */
const mostListed = 1000

/** Lists dead jobs, or schedules some of them again. The caller wakes the runner, if it has one. */
export async function runJobsCommand(
  database: Pick<Database, 'read' | 'transaction'>,
  command: JobsCommand,
  now: number,
): Promise<JobsDone> {
  const dead = await database.read((db) => listDeadJobs(db, mostListed))
  if (command.jobs === 'list') return { dead }
  const { ids } = command
  const revived: string[] = []
  for (const job of dead.filter(({ job_id }) => ids === 'all' || ids.includes(job_id))) {
    const revive = () =>
      database.transaction((db) => reviveDeadJob(db, job, now), { owner: job.client_id })
    if ((await revive()) > 0) revived.push(job.job_id)
  }
  const unknown = ids === 'all' ? [] : ids.filter((id) => !revived.includes(id))
  return { revived, unknown }
}
