import type { Queries } from '../../kernel/database.ts'
import {
  type CallPlace,
  type KeptCall,
  latestFirst,
  readEntries,
} from '../../pipeline/request-log-store.ts'
import { type CallSearch, listEntries, listRowsFrom } from './store.ts'

const rowsAtOnce = 60

/**
 * Calls that fit, the latest first. A row holds the calls of a moment, so rows are read until there
 * are enough: mostly by one statement, since each row that is read has what is looked for.
 */
export async function searchCalls(
  db: Queries,
  clientId: string,
  search: CallSearch,
  fits: (call: KeptCall) => boolean,
  limit: number,
): Promise<KeptCall[]> {
  const { before } = search
  const isLater = (call: CallPlace) => before === undefined || latestFirst(before, call) < 0
  const isMeant = (call: KeptCall) => isLater(call) && fits(call)
  const cut = before === undefined ? [] : await listRowsFrom(db, clientId, before.sequence)
  let found = cut.flatMap(readEntries).filter(isMeant)
  let below = before?.sequence ?? Number.MAX_SAFE_INTEGER
  while (found.length < limit) {
    const rows = await listEntries(db, clientId, search, below, rowsAtOnce)
    found = [...found, ...rows.flatMap(readEntries).filter(isMeant)]
    const last = rows.at(-1)
    const next = last ? lastOf(last) : 0
    if (rows.length < rowsAtOnce || next >= below) break
    below = next
  }
  return found.sort(latestFirst).slice(0, limit)
}

/** A row stands in the list by its last call. */
const lastOf = (row: { entries: string }): number => readEntries(row).at(-1)?.sequence ?? 0
