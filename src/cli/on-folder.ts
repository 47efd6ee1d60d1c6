import { existsSync } from 'node:fs'
import type { BackupCommand, BackupDone } from '../server/boot/backup.ts'
import type { AskedJobs } from '../server/boot/command-socket.ts'
import type { EmbeddedDatabase } from '../server/db/sqlite.ts'
import type { Database } from '../server/kernel/database.ts'
import type { JobsDone } from '../server/queue/jobs-command.ts'
import { UsageError } from './usage-error.ts'

/** Carries a command out: by the service that has the data of a folder, or else by this process. */
export async function onFolder<Done extends BackupDone | JobsDone>(
  data: string,
  command: BackupCommand | AskedJobs,
  work: (database: EmbeddedDatabase) => Promise<Done>,
): Promise<Done> {
  const { sendCommand } = await import('../server/boot/command-socket.ts')
  const done = await sendCommand<Done>(data, command)
  if (done) return done
  const { databaseFile } = await import('../server/config/data-folder.ts')
  const file = databaseFile(data)
  if (!existsSync(file)) throw new UsageError(`${file} is not there: name the folder with --data`)
  const { openSqlite } = await import('../server/db/sqlite.ts')
  return withDatabase(openSqlite(file), work)
}

/** Closes a database after the work on it. */
export async function withDatabase<Opened extends Database, Done>(
  database: Opened,
  work: (database: Opened) => Promise<Done>,
): Promise<Done> {
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}
