import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { readyAccessToken } from '../../src/server/clients/well-known-clients.ts'
import {
  canTryOn,
  createStore,
  type EdgeService,
  engines,
  startEdge,
} from './support/edge-service.ts'
import { type Call, sendCalls } from './support/open-loop.ts'
import { canTry, progress, report } from './support/report.ts'
import { atScale, scale } from './support/scale.ts'

const calls: readonly Call[] = [
  { path: '/accounts/get', body: { access_token: readyAccessToken } },
  { path: '/wallet/create', body: { iso_currency_code: 'GBP' } },
  { path: '/transactions/sync', body: { access_token: readyAccessToken, count: 100 } },
]
const rounds = atScale({ quick: 1, normal: 3, long: 10 })
const seconds = 6
/** After 30 seconds the service counts as idle, and collects garbage. */
const patienceMs = 60_000
const mostIdleMb = 250
/** Ten rounds are some 100,000 calls on a quiet machine: 300 bytes a call would be 30 MB. */
const mostGrowthMb = 30

/** Resident memory when the service has returned a part of it, or at the end of the patience. */
async function whenIdle(service: EdgeService): Promise<number> {
  // Less than this is not yet the collection of an idle service: any may return some pages.
  const returned = Math.min(0.85 * service.rss(), mostIdleMb)
  const end = performance.now() + patienceMs
  while (service.rss() > returned && performance.now() < end) await sleep(500)
  // Some pages are returned beside the main thread.
  await sleep(3000)
  return service.rss()
}

describe.each(engines)('on %s', (engine) => {
  test.skipIf(scale === 'quick' && engine === 'postgres')(
    'a service that has become idle returns the memory that its load took',
    { timeout: 1_200_000 },
    async () => {
      if (!canTry(process.platform === 'linux', 'resident memory is read from /proc')) return
      if (!(await canTryOn(engine))) return
      const service = await startEdge(await createStore(engine))
      const [started, loaded, idle] = [service.rss(), [] as number[], [] as number[]]
      let sent = 0
      for (let round = 1; round <= rounds; round += 1) {
        const load = await sendCalls(service.url, calls, { seconds, connections: 50 })
        expect(load.statuses['200']).toBeGreaterThan(0)
        sent += load.sent
        loaded.push(service.rss())
        idle.push(await whenIdle(service))
        progress(`${engine}, round ${round}: ${loaded.at(-1)} MB, idle ${idle.at(-1)} MB`)
      }
      // A round after which the heap was below 100 MB has no collection, and is no leak.
      const half = Math.ceil(rounds / 2)
      const growth =
        rounds > 1 ? Math.min(...idle.slice(half)) - Math.min(...idle.slice(0, half)) : 0
      report(`a service that has become idle returns the memory that its load took (${engine})`, {
        rounds,
        calls: sent,
        started_mb: started,
        most_loaded_mb: Math.max(...loaded),
        most_idle_mb: Math.max(...idle),
        growth_from_first_to_second_half_mb: growth,
      })
      expect(Math.max(...idle)).toBeLessThanOrEqual(mostIdleMb)
      expect(growth).toBeLessThan(mostGrowthMb)
    },
  )
})
