import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { DatabaseError } from '../kernel/database.ts'

/** Reads all of a copy of the embedded store, and fails where its parts do not fit; its size in bytes. */
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
