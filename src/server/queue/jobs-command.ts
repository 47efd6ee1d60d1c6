import type { Database, Queries } from '../kernel/database.ts'
import { type DeadJobRow, listDeadJobs, reviveDeadJob } from './dead-job-store.ts'

/** An operator's command about dead jobs. */
export type JobsCommand = { jobs: 'list' } | { jobs: 'rerun'; ids: readonly string[] | 'all' }

/** The dead jobs, or the ids that were scheduled again and those without a dead job. */
export type JobsDone = { dead: DeadJobRow[] } | { revived: string[]; unknown: string[] }

/** The maximum number of dead jobs in a list. */
const mostListed = 1000

/** Lists dead jobs, or schedules some of them again and notes each. The caller wakes the runner, if it has one. */
export async function runJobsCommand(
  database: Pick<Database, 'read' | 'transaction'>,
  command: JobsCommand,
  now: number,
  note: (db: Queries, job: DeadJobRow) => Promise<void> = async () => {},
): Promise<JobsDone> {
  const dead = await database.read((db) => listDeadJobs(db, mostListed))
  if (command.jobs === 'list') return { dead }
  const { ids } = command
  const revived: string[] = []
  for (const job of dead.filter(({ job_id }) => ids === 'all' || ids.includes(job_id))) {
    const revive = async (db: Queries) => {
      const count = await reviveDeadJob(db, job, now)
      if (count > 0) await note(db, job)
      return count
    }
    if ((await database.transaction(revive, { owner: job.client_id })) > 0) revived.push(job.job_id)
  }
  const unknown = ids === 'all' ? [] : ids.filter((id) => !revived.includes(id))
  return { revived, unknown }
}
