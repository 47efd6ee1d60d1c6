import type { Context } from '../kernel/context.ts'
import {
  compareHits,
  createDirectory,
  type Directory,
  type Hit,
  type SearchFilter,
  type SearchQuery,
} from './directory.ts'
import type { InstitutionTexts } from './institution-texts.ts'
import { toSearchName } from './search-name.ts'
import { findInstitutions, listDirectory, type States } from './search-store.ts'

/** The institutions that a client can find: those of all clients, and its own. */
type Scope = keyof States

interface Kept {
  state: string
  directory: Directory
}

/** A data set without a state has no institutions, and nothing is cached for it. */
const isOf = (used: Kept | undefined, state: string | null): boolean =>
  (used?.state ?? null) === state

/**
 * Caches directories of institutions in memory. Each search also reads the current state from the
 * database. If the state has changed, the search reads the directories and runs again.
 */
export interface Directories {
  /**
   * The JSON texts of the best matches, or without a query the first ones in the order of their
   * names. Cached texts are not read again.
   */
  search(
    ctx: Context,
    query: string | undefined,
    filter: SearchFilter,
    limit: number,
    texts: InstitutionTexts,
  ): Promise<string[]>
}

/**
 * The maximum number of clients with cached institutions. Test suites create thousands of clients.
 */
const mostKept = 100

export function createDirectories(): Directories {
  const kept = new Map<string, Kept>()
  const reading = new Map<string, Promise<void>>()

  /** Reads a changed directory once for all concurrent callers. */
  async function read(ctx: Context, clientId: string, state: string | null): Promise<void> {
    if (state !== null && kept.get(clientId)?.state === state) return
    kept.delete(clientId)
    if (state === null) return
    const key = `${state} ${clientId}`
    const begun = reading.get(key)
    // When the shared read fails, the next caller reads again.
    if (begun) return begun.catch(() => {})
    const own = keep(ctx, clientId, state).finally(() => reading.delete(key))
    reading.set(key, own)
    await own
  }

  async function keep(ctx: Context, clientId: string, state: string): Promise<void> {
    const rows = await listDirectory(ctx, clientId)
    kept.set(clientId, { state, directory: createDirectory(rows) })
    const [oldest] = [...kept.keys()].filter((key) => key !== '')
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
  }

  const pick = (ctx: Context): Record<Scope, Kept | undefined> => ({
    shared: kept.get(''),
    own: kept.get(ctx.client.client_id),
  })

  return {
    async search(ctx, query, filter, limit, texts) {
      const wanted =
        query === undefined ? query : { text: query.trim(), searchName: toSearchName(query) }
      for (;;) {
        // Concurrent searches may replace the cached directories. So the states are compared with
        // the ones used here.
        const used = pick(ctx)
        const directories = [used.shared, used.own].flatMap((one) => (one ? [one.directory] : []))
        const hits = searchAll(directories, wanted, filter, limit)
        const entries = hits.map(({ entry }) => entry)
        const unknown = entries.filter((entry) => texts.find(entry) === undefined)
        const { states, rows } = await findInstitutions(ctx, unknown)
        const isSharedCurrent = isOf(used.shared, states.shared)
        const isOwnCurrent = isOf(used.own, states.own)
        if (isSharedCurrent && isOwnCurrent) {
          for (const [entry, row] of rows) texts.add(entry, row)
          return entries.flatMap((entry) => texts.find(entry) ?? [])
        }
        if (!isSharedCurrent) await read(ctx, '', states.shared)
        if (!isOwnCurrent) await read(ctx, ctx.client.client_id, states.own)
      }
    },
  }
}

/** Approximate matches are searched only if there is no exact match. */
function searchAll(
  directories: readonly Directory[],
  query: SearchQuery | undefined,
  filter: SearchFilter,
  limit: number,
): Hit[] {
  if (query === undefined) {
    const first = directories.flatMap((directory) => directory.list(filter, limit))
    return first.sort(compareHits).slice(0, limit)
  }
  const exact = directories.flatMap((directory) => directory.search(query, filter, limit))
  if (exact.length > 0) return exact.sort(compareHits).slice(0, limit)
  if (query.searchName === '') return []
  return directories
    .flatMap((directory) => directory.searchWithSlips(query.searchName, filter, limit))
    .sort(compareHits)
    .slice(0, limit)
}
