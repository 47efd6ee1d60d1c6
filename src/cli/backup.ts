import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { BackupCommand, BackupDone } from '../server/boot/backup.ts'
import { actorOf, printDone } from './ask-operator.ts'
import { type Command, type ExitCode, program } from './command.ts'
import { onFolder } from './on-folder.ts'
import { readOptions } from './options.ts'
import { UsageError } from './usage-error.ts'

const help = `usage: ${program} backup TARGET [options]

Copies the data of a folder into the folder TARGET, which must be new or empty, and checks the copy.
If a service runs on the data, the service writes the copy and goes on answering calls. The copy has every
change that the service has confirmed before. To restore, start a service on the copy: serve --data TARGET

  --data FOLDER   copy the data of this folder (DATA_DIR, or ./data)
  --without-key   leave out the key file of the data; store the key elsewhere (off)

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
  const making = make(data, {
    actor: actorOf(),
    target: resolve(target),
    withKey: !values['without-key'],
  })
  const print = ({ key, copy, bytes, audited }: Made): ExitCode => {
    if (audited === false)
      console.error('the audit log lacks this backup: the data could not be written')
    if (bytes === undefined) return tellHidden(copy)
    const size = `${(bytes / 1e6).toFixed(1)} MB`
    console.log(`${data} is in ${target}: ${size}, checked, ${keyWords(key)}`)
    return 0
  }
  return printDone(making, print, 'no backup was made: ')
}

/** A service in a container, or with a /tmp of its own, has other folders by the same names. */
function tellHidden(copy: string): ExitCode {
  console.error(
    `the copy was not checked: the service has written ${copy}, which cannot be seen from here; name a folder that both see, such as one beside its data`,
  )
  return 1
}

const keyWords = (hasKey: boolean): string =>
  hasKey ? 'with its key: everyone who has the copy can read all of it' : 'without its key'

function dataFolder(flag: string | undefined): string {
  const { DATA_DIR, DATABASE_URL, DATABASE_URL_FILE } = process.env
  if (flag === undefined && (DATABASE_URL || DATABASE_URL_FILE)) {
    throw new UsageError(
      'DATABASE_URL is set, and PostgreSQL is backed up by pg_dump: give --data for a folder',
    )
  }
  return flag || DATA_DIR || 'data'
}

interface Made extends BackupDone {
  /** The file of the copy, and its bytes once it was checked. */
  copy: string
  bytes: number | undefined
}

async function make(data: string, command: BackupCommand): Promise<Made> {
  const { databaseFile } = await import('../server/config/data-folder.ts')
  const done = await onFolder<BackupDone>(data, command, async (database) => {
    const { backUp } = await import('../server/boot/backup.ts')
    return backUp(database, data, command)
  })
  const copy = databaseFile(command.target)
  const { checkCopy } = await import('../server/db/check-copy.ts')
  return { ...done, copy, bytes: existsSync(copy) ? checkCopy(copy) : undefined }
}
