import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { databaseFile, keyFile } from '../config/data-folder.ts'
import { isKeyOfData } from '../data-keys/is-key-of-data.ts'
import { type Database, DatabaseError } from '../kernel/database.ts'
import { makeFolder, syncFolder, writeDurably } from '../kernel/write-durably.ts'
import { noteBackup } from '../operator/audit-upkeep.ts'

/** What a backup is to be. */
export interface BackupCommand {
  /** Who asks for it, for the audit log. */
  actor: string
  /** A folder that is new or empty; a service started on it goes on from there. */
  target: string
  /** Whether the key goes along that lies beside the data. */
  withKey: boolean
}

/** What a backup holds. */
export interface BackupDone {
  /** Whether it holds the key of the data. */
  key: boolean
  /** Whether the audit log has it. */
  audited: boolean
}

/** A store that can be copied. */
export type Copied = Required<Pick<Database, 'backup' | 'read' | 'transaction'>>

/** Copies a store that is open, with its key; other work goes on meanwhile. */
export async function backUp(
  database: Copied,
  data: string,
  { actor, target, withKey }: BackupCommand,
): Promise<BackupDone> {
  makeTarget(target)
  const audited = await noteBackup(database, { actor, target, withKey })
  const file = databaseFile(target)
  // A copy has its name once it is whole.
  const unfinished = `${file}.new`
  try {
    await database.backup(unfinished)
    chmodSync(unfinished, 0o600)
    const key = withKey ? await readKeyBeside(database, data) : undefined
    if (key !== undefined) writeDurably(keyFile(target), key)
    renameSync(unfinished, file)
    syncFolder(target)
    return { key: key !== undefined, audited }
  } catch (error) {
    for (const end of ['', '-journal', '-wal']) rmSync(unfinished + end, { force: true })
    throw error
  }
}

/** The file of the key, unless it was left there by a key that is in force no more. */
async function readKeyBeside(database: Copied, data: string): Promise<string | undefined> {
  if (!existsSync(keyFile(data))) return undefined
  const key = readFileSync(keyFile(data), 'utf8')
  return (await database.read((db) => isKeyOfData(db, key))) ? key : undefined
}

function makeTarget(target: string): void {
  try {
    makeFolder(target)
    if (readdirSync(target).length === 0) return
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    throw new DatabaseError(`${target} cannot be made or written (${code})`)
  }
  throw new DatabaseError(`${target} must be a new or an empty folder`)
}
