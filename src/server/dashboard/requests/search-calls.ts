import type { Queries } from '../../kernel/database.ts'
import {
  type CallPlace,
  type KeptCall,
  latestFirst,
  readEntries,
} from '../../pipeline/request-log-store.ts'
import { type CallSearch, listEntries, listRowsAcross, type RowPlace } from './store.ts'

/** Under load a row has more calls than a page. Otherwise it has a few. */
const fewRows = 3
const manyRows = 60

/** How many rows are likely to hold the rest of a page, and some more. To read a row costs a millisecond. */
function guessRows(read: number, found: number, limit: number): number {
  if (found === 0) return manyRows
  const likely = Math.ceil((1.25 * read * (limit - found)) / found)
  return Math.min(manyRows, Math.max(fewRows, likely))
}

/**
 * Calls that fit, the latest first. A row holds the calls of a moment, so rows are read until there
 * are enough: by two or three statements, since each row that is read has what is looked for.
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
  const across = before === undefined ? [] : await listRowsAcross(db, clientId, before.sequence)
  let found = across.flatMap(readEntries).filter(isMeant).sort(latestFirst)
  let rowsAtOnce = fewRows
  let read = 0
  let below: RowPlace = { sequence: before?.sequence ?? Number.MAX_SAFE_INTEGER, request_id: '' }
  // Rows of several processes overlap: one that is not read yet may have a later call.
  while ((found[limit - 1]?.sequence ?? 0) <= below.sequence) {
    const rows = await listEntries(db, clientId, search, below, rowsAtOnce)
    found = [...found, ...rows.flatMap(readEntries).filter(isMeant)].sort(latestFirst)
    const last = rows.at(-1)
    if (rows.length < rowsAtOnce || !last) break
    below = last
    read += rows.length
    rowsAtOnce = guessRows(read, found.length, limit)
  }
  return found.slice(0, limit)
}
