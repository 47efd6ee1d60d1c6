import type { Queries } from '../../kernel/database.ts'
import {
  type CallPlace,
  type KeptCall,
  latestFirst,
  readEntries,
} from '../../pipeline/request-log-store.ts'
import { type CallSearch, listEntries, listRowsFrom } from './store.ts'

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
  const cut = before === undefined ? [] : await listRowsFrom(db, clientId, before.sequence)
  let found = cut.flatMap(readEntries).filter(isMeant).sort(latestFirst)
  let rowsAtOnce = fewRows
  let read = 0
  let below = before?.sequence ?? Number.MAX_SAFE_INTEGER
  // Rows of several processes overlap: one that is not read yet may have a later call.
  while ((found[limit - 1]?.sequence ?? 0) < below) {
    const rows = await listEntries(db, clientId, search, below, rowsAtOnce)
    const calls = rows.map(readEntries)
    found = [...found, ...calls.flat().filter(isMeant)].sort(latestFirst)
    // A row stands in the list by its last call.
    const next = calls.at(-1)?.at(-1)?.sequence ?? 0
    if (rows.length < rowsAtOnce || next >= below) break
    below = next
    read += rows.length
    rowsAtOnce = guessRows(read, found.length, limit)
  }
  return found.slice(0, limit)
}
