import { findSetting, putSetting } from '../db/settings-store.ts'
import type { Database } from '../kernel/database.ts'

/** When a process last worked on the data, in real ms, to about ten minutes. */
export async function findLastUsed({ read }: Pick<Database, 'read'>): Promise<number | undefined> {
  const stored = await read((db) => findSetting(db, 'last_used'))
  return stored === undefined ? undefined : Number(stored)
}

/** Several processes may do so at once; any of them is right. */
export const noteLastUsed = ({ transaction }: Pick<Database, 'transaction'>, now: number) =>
  transaction((db) => putSetting(db, 'last_used', String(now)), { isolation: 'row' })
