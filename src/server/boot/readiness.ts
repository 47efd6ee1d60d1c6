import { setTimeout as sleep } from 'node:timers/promises'
import type { WriteWatch } from '../db/watch-writes.ts'
import type { Database } from '../kernel/database.ts'
import type { Readiness, ReadyState } from '../kernel/readiness.ts'

/** A slower database counts as unavailable. */
const usualPatienceMs = 2000
/** How long a result is reused, so that frequent checks do not load the database. */
const keptMs = 500

const ok = 'ok'

/**
 * The checks that decide whether a process is ready. Writes do not: all processes write to the same
 * disk, so a load balancer would have no process left, and reads still work.
 */
const deciding = ['accepting', 'database', 'migrations'] as const

/** Checks the database, the only dependency that can fail while the process runs. */
export function createReadiness(
  { single, rejection }: Pick<Database, 'single'> & Partial<Pick<WriteWatch, 'rejection'>>,
  clock: () => number = () => performance.now(),
  patienceMs: number = usualPatienceMs,
): Readiness {
  let draining = false
  // What the start has made sure of, and what must not be gone: somebody may put a backup in place.
  let newestMigration: number | undefined
  let latest: { found: Promise<ReadyState['checks']>; until: number } | undefined

  async function readChecks(): Promise<ReadyState['checks']> {
    const silent = sleep(patienceMs, 'silent' as const, { ref: false })
    const asked = single
      .first<{ newest: number }>('select max(number) as newest from migrations')
      .catch(() => 'failed' as const)
    const found = await Promise.race([asked, silent])
    if (found === 'silent') return unknown(`no answer within ${patienceMs} ms`)
    if (found === 'failed') return unknown('does not answer')
    const newest = found?.newest ?? 0
    newestMigration ??= newest
    const isMigrated = newest >= newestMigration
    const reason = rejection?.()
    return {
      accepting: ok,
      database: ok,
      migrations: isMigrated ? ok : 'not all applied',
      writes: reason === undefined ? ok : `refused: ${reason}`,
    }
  }

  return {
    async check() {
      const now = clock()
      if (!latest || latest.until <= now) latest = { found: readChecks(), until: now + keptMs }
      const found = await latest.found
      const checks = draining ? { ...found, accepting: 'shutting down' } : found
      return { ready: deciding.every((name) => checks[name] === ok), checks }
    },
    drain() {
      draining = true
    },
    isDraining: () => draining,
  }
}

const unknown = (database: string): ReadyState['checks'] => ({
  accepting: ok,
  database,
  migrations: 'not known',
  writes: 'not known',
})
