import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { DatabaseError } from '../kernel/database.ts'
import { resultCode, toDamaged, toOpenError } from './sqlite-error.ts'

/** Opens a file for this process alone, durable at each commit; fails in one line. */
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

/** Makes the file for its owner only, whoever may look into its folder; those beside it follow it. */
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

// Looking through it takes 7 ms for 11 MB; of a store that large nobody wants to wait for it.
const largestChecked = 1 << 30

/** Damage is told at the start, not when somebody meets it. */
function rejectDamaged(connection: DatabaseSync, file: string): void {
  if (file === ':memory:' || statSync(file).size > largestChecked) return
  const [found] = connection.prepare('pragma quick_check(1)').all()
  if (found?.['quick_check'] !== 'ok') throw toDamaged(file)
}
