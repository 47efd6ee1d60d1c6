import { parseEncryptionKey } from '../config/encryption-key.ts'
import type { Queries } from '../kernel/database.ts'
import { openKey, toMaster } from './master.ts'
import { listDataKeys } from './store.ts'

/** Whether the content of a key file decrypts the data keys. */
export async function isKeyOfData(db: Queries, text: string): Promise<boolean> {
  const rows = await listDataKeys(db)
  try {
    const master = toMaster(parseEncryptionKey(text))
    const own = rows.filter(({ master_id }) => master_id === master.id)
    return own.map((row) => openKey(master, row)).length > 0
  } catch {
    return false
  }
}
