import type { Database, Queries } from '../kernel/database.ts'
import { type JobsCommand, type JobsDone, runJobsCommand } from '../queue/jobs-command.ts'
import { type Audited, audit } from './audit.ts'

// What operators do with the data as a whole. A command can do it without the keys of the data.

const note = (db: Queries, audited: Audited): Promise<void> =>
  audit({ clock: Date.now, settings: { environment: '' } }, db, audited)

/** Lists dead jobs, or schedules some again. The log has each job that is. */
export const runAuditedJobs = (
  database: Pick<Database, 'read' | 'transaction'>,
  command: JobsCommand,
  actor: string,
): Promise<JobsDone> =>
  runJobsCommand(database, command, Date.now(), (db, { client_id, job_id, kind }) =>
    note(db, { actor, action: 'jobs.rerun', client_id, subject: job_id, details: { kind } }),
  )

/**
 * Notes a backup before it is made, so that the copy has the note. Returns false where the data cannot
 * be written: a backup of it is needed all the more.
 */
export async function noteBackup(
  database: Pick<Database, 'transaction'>,
  { actor, target, withKey }: { actor: string; target: string; withKey: boolean },
): Promise<boolean> {
  const details = { with_key: withKey }
  const write = (db: Queries) => note(db, { actor, action: 'backup', subject: target, details })
  try {
    await database.transaction(write, { isolation: 'row' })
    return true
  } catch {
    return false
  }
}

/** Notes that ENCRYPTION_KEY was replaced, or that the one before it decrypts nothing any more. */
export const noteKeyChange = (db: Queries, change: 'replace' | 'retire'): Promise<void> =>
  note(db, { actor: 'service:start', action: `encryption-key.${change}` })
