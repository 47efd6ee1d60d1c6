import type { FoundKey } from '../config/encryption-key.ts'
import type { Database } from '../kernel/database.ts'
import { type Keys, keysOf } from '../kernel/keys.ts'
import { loadDataKeys, type NoteKeyChange } from './load-data-keys.ts'

/** Loads the data keys of a migrated database, or creates them. */
export const openKeys = async (
  database: Database,
  found: FoundKey,
  note?: NoteKeyChange,
): Promise<Keys> => keysOf(await database.exclusive((db) => loadDataKeys(db, found, note)))
