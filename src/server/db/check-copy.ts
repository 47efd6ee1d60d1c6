import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { DatabaseError } from '../kernel/database.ts'

/**
 * Reads a whole copy of the embedded store and returns its size in bytes. Fails if the copy is
 * damaged.
 */
export function checkCopy(file: string): number {
  const database = new DatabaseSync(file)
  try {
    const [found] = database.prepare('pragma integrity_check(1)').all()
    const hasTables = database.prepare('pragma table_info(migrations)').all().length > 0
    if (found?.['integrity_check'] !== 'ok' || !hasTables) {
      throw new DatabaseError(`the copy ${file} is damaged`)
    }
    return statSync(file).size
  } finally {
    database.close()
  }
}
