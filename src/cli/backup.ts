import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { BackupCommand, BackupDone } from '../server/boot/backup.ts'
import { type Command, type ExitCode, program } from './command.ts'
import { readOptions } from './options.ts'
import { tellError } from './tell-error.ts'
import { UsageError } from './usage-error.ts'

const help = `usage: ${program} backup TARGET [options]

Copies the data of a folder into the folder TARGET, which must be new or empty, and checks the copy.
A service that runs on the data goes on meanwhile, and writes the copy itself; everything that it had
answered before is in it. To go back, start a service on the copy: serve --data TARGET

  --data FOLDER   copy the data of this folder (DATA_DIR, or ./data)
  --without-key   leave out the key beside the data, which you then keep elsewhere (off)

Data in PostgreSQL (DATABASE_URL) is backed up by its own tools, such as pg_dump.

exit code: 0 done, 1 not done, 2 wrong usage

examples:
  ${program} backup /backups/monday
  ${program} backup /backups/monday --data /var/lib/service --without-key`

/** Makes a backup of the embedded store, whether a service runs on it or not. */
export const backupCommand: Command = { help, node: 24, run }

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = readOptions(args, {
    data: { type: 'string' },
    'without-key': { type: 'boolean', default: false },
  })
  const [target, more] = positionals
  if (!target || more !== undefined) throw new UsageError('name one folder for the backup')
  const data = dataFolder(values.data)
  const command = { target: resolve(target), withKey: !values['without-key'] }
  try {
    const done = await make(data, command)
    const { databaseFile } = await import('../server/config/data-folder.ts')
    const copy = databaseFile(command.target)
    if (!existsSync(copy)) return tellHidden(copy)
    const { checkCopy } = await import('../server/db/check-copy.ts')
    const megabytes = (checkCopy(copy) / 1e6).toFixed(1)
    console.log(`${data} is in ${target}: ${megabytes} MB, checked, ${keyWords(done)}`)
    return 0
  } catch (error) {
    const { DatabaseError, DatabaseUnavailable } = await import('../server/kernel/database.ts')
    const isExpected = [DatabaseError, DatabaseUnavailable].some((kind) => error instanceof kind)
    if (!isExpected) throw error
    tellError(`no backup was made: ${(error as Error).message}`)
    return 1
  }
}

/** A service in a container, or with a /tmp of its own, has other folders by the same names. */
function tellHidden(copy: string): ExitCode {
  console.error(
    `the copy was not checked: the service has written ${copy}, which cannot be seen from here; name a folder that both see, such as one beside its data`,
  )
  return 1
}

const keyWords = ({ key }: BackupDone): string =>
  key ? 'with its key: whoever has it can read all of it' : 'without its key'

function dataFolder(flag: string | undefined): string {
  const { DATA_DIR, DATABASE_URL, DATABASE_URL_FILE } = process.env
  if (flag === undefined && (DATABASE_URL || DATABASE_URL_FILE)) {
    throw new UsageError(
      'DATABASE_URL is set, and PostgreSQL is backed up by pg_dump: give --data for a folder',
    )
  }
  return flag || DATA_DIR || 'data'
}

/** By the service that has the data, or else by this process. */
async function make(data: string, command: BackupCommand): Promise<BackupDone> {
  const { sendCommand } = await import('../server/boot/command-socket.ts')
  const done = await sendCommand<BackupDone>(data, command)
  if (done) return done
  const { databaseFile } = await import('../server/config/data-folder.ts')
  const file = databaseFile(data)
  if (!existsSync(file)) throw new UsageError(`${file} is not there: name the folder with --data`)
  const { openSqlite } = await import('../server/db/sqlite.ts')
  const { backUp } = await import('../server/boot/backup.ts')
  const database = openSqlite(file)
  try {
    return await backUp(database, data, command)
  } finally {
    await database.close()
  }
}
