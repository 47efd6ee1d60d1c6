import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { DatabaseError } from '../kernel/database.ts'
import { resultCode, toDamaged, toOpenError } from './sqlite-error.ts'

/**
 * Opens a file exclusively for this process, durable at each commit. Fails with a one-line error.
 */
export function connect(file: string): DatabaseSync {
  try {
    if (file !== ':memory:') createPrivate(file)
    return openChecked(file)
  } catch (error) {
    if (resultCode(error) !== lockedCode) throw toOpenError(file, error)
    const message = `${file} is in use by another process; stop it, or choose another --data`
    throw new DatabaseError(message, { cause: error })
  }
}

const lockedCode = 5

/**
 * Creates the file with access for its owner only, whatever the folder permits. SQLite uses the
 * same mode for the files beside it.
 */
function createPrivate(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
}

function openChecked(file: string): DatabaseSync {
  const connection = new DatabaseSync(file)
  try {
    connection.exec(`
      pragma locking_mode = exclusive;
      pragma journal_mode = wal;
      pragma synchronous = full;
      pragma foreign_keys = on;
      pragma temp_store = memory;
      begin immediate; commit;
    `)
    rejectDamaged(connection, file)
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

// The check takes 7 ms for 11 MB. For a store above this size it would delay the start too much.
const largestChecked = 1 << 30

/** Reports damage at the start instead of in a later request. */
function rejectDamaged(connection: DatabaseSync, file: string): void {
  if (file === ':memory:' || statSync(file).size > largestChecked) return
  const [found] = connection.prepare('pragma quick_check(1)').all()
  if (found?.['quick_check'] !== 'ok') throw toDamaged(file)
}
