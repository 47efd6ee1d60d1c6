import type { Config } from '../config/config.ts'
import { databaseFile } from '../config/data-folder.ts'
import { openSqlite } from '../db/sqlite.ts'
import type { Database } from '../kernel/database.ts'

/** A database that starts along with us is there by then; else a supervisor starts us again. */
const waitForServerMs = 60_000

/** Opens the store that the options name. A server that is away is waited for, if there is a `warn`. */
export async function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'data'>,
  warn?: (message: string) => void,
): Promise<Database> {
  if (config.databaseUrl !== undefined) {
    const { openPostgres } = await import('../db/postgres.ts')
    const patience = warn && { waitMs: waitForServerMs, onWait: warn }
    return openPostgres(config.databaseUrl, patience)
  }
  if (config.data === undefined) return openSqlite(':memory:')
  return openSqlite(databaseFile(config.data))
}
