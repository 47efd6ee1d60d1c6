import { countInWindow } from '../clients/rate-window-store.ts'
import type { RateLimitsMode } from '../config/config.ts'
import type { ClientRow } from '../kernel/context.ts'
import { type Database, type Queries, WritesRejected } from '../kernel/database.ts'
import { ApiError } from '../kernel/errors.ts'
import type { OperationRow, RateLimit } from '../versions/select-version.ts'
import { findKey } from './check-fields.ts'

/** Counts requests, and rejects those above the limits of the contract. */
export interface RateLimits {
  /** `subject` hashes the Item's or report's token, if the call has one. */
  count(client: ClientRow, operation: OperationRow, subject: Subject): Promise<void>
}

type Subject = () => string | undefined

const windowMs = 60_000

/** Windows of a minute. They are rows, so all processes share the counts. */
export function createRateLimits(
  mode: RateLimitsMode,
  database: Database,
  clock: () => number,
): RateLimits {
  if (mode === 'off') return { count: async () => {} }
  const exceeded = createExceeded()
  return {
    async count(client, operation, subject) {
      const limits = operation.rateLimits?.[mode]
      if (!limits) return
      const now = clock()
      const windowStart = now - (now % windowMs)
      const known = exceeded.of(windowStart)
      const counters = countersOf(operation, limits, subject)
      // Every process reads `resets` with the client, so cached limits end with a reset.
      const nameOf = (counted: string) => `${client.client_id} ${client.resets} ${counted}`
      const isOver = async (db: Queries) => {
        for (const [counted, limit] of counters) {
          const clientId = client.client_id
          const calls = await countInWindow(db, { clientId, subject: counted, windowStart })
          if (calls > limit) return counted
        }
        return undefined
      }
      if (!counters.some(([counted]) => known.has(nameOf(counted)))) {
        // One statement counts, so concurrent callers cannot lose a count.
        const count = database.transaction(isOver, { isolation: 'row' })
        const rejected = await count.catch(admitUncounted)
        if (rejected === undefined) return
        known.add(nameOf(rejected))
      }
      const retryAfter = Math.ceil((windowStart + windowMs - now) / 1000)
      throw new ApiError(limitKey(operation), { retryAfter })
    },
  }
}

/** On a full disk calls cannot be counted. Read operations continue to work. */
function admitUncounted(error: unknown): undefined {
  if (error instanceof WritesRejected) return undefined
  throw error
}

/**
 * Remembers exceeded limits until their window ends. Further calls of such a client need no
 * statement, and do not delay others that wait for its row.
 */
function createExceeded() {
  let window = 0
  const names = new Set<string>()
  return {
    of(windowStart: number): Set<string> {
      if (windowStart !== window || names.size > mostExceeded) names.clear()
      window = windowStart
      return names
    },
  }
}

const mostExceeded = 100_000

/**
 * The operation's own code. INSTITUTION_RATE_LIMIT comes from institutions and is not counted here.
 */
export function limitKey(operation: Pick<OperationRow, 'errors'>) {
  const keys = operation.errors['429'] ?? []
  const key = findKey(
    keys.filter((name) => name !== 'INSTITUTION_RATE_LIMIT'),
    keys[0] ?? '',
  )
  return key ?? 'RATE_LIMIT'
}

function countersOf(
  operation: OperationRow,
  limits: RateLimit,
  subject: Subject,
): [string, number][] {
  const counters: [string, number][] = []
  const perSubject = limits.per_item ?? limits.per_report
  const hash = perSubject === undefined ? undefined : subject()
  if (perSubject !== undefined && hash !== undefined) {
    counters.push([`${operation.path} ${hash}`, perSubject])
  }
  if (limits.per_client !== undefined) {
    counters.push([limits.shared_with ?? operation.path, limits.per_client])
  }
  return counters
}
