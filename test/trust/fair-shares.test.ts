import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { root } from '../../scripts/contract.ts'
import { wellKnownClients } from '../../src/server/well-known-clients.ts'
import type { Credentials } from '../support/service-process.ts'
import { canTryOn, createStore, engines, startEdge } from './support/edge-service.ts'
import { report } from './support/report.ts'
import { atScale } from './support/scale.ts'
import { measureLatency } from './support/unread.ts'

// One client, or somebody who claims to be one, on hundreds of connections beside another client.

const [victim, other] = wellKnownClients
const attackers: Record<string, Credentials> = {
  'another client': other,
  'somebody who claims its id': { clientId: victim.clientId, secret: 'not its secret' },
}
const connections = 800
const seconds = atScale({ quick: 4, normal: 12, long: 40 })
/** On a busy machine a call takes as long as this now and then, whoever else calls. */
const idleAtLeastMs = 50

describe.each(engines)('on %s', (engine) => {
  test.each(Object.entries(attackers))(
    'a client is answered soon beside 800 connections of %s',
    {
      timeout: 120_000,
    },
    async (name, attacker) => {
      if (!(await canTryOn(engine))) return
      const service = await startEdge(await createStore(engine), { RATE_LIMITS: 'production' })
      const call = () => service.post('/sandbox/clock/get', {}, victim)
      await measureLatency(service.url, call, 1)
      const idle = await measureLatency(service.url, call, 2)
      const flood = join(root, 'test/trust/support/tenant-flood.ts')
      const args = [service.url, connections, seconds + 1, JSON.stringify(attacker)].map(String)
      const flooding = promisify(execFile)(process.execPath, [flood, ...args])
      await measureLatency(service.url, call, 1)
      const busy = await measureLatency(service.url, call, seconds - 1)
      const statuses = JSON.parse((await flooding).stdout) as Record<string, number>
      report('a client is answered soon beside a flood of calls of somebody else', {
        engine,
        flood_of: name,
        connections,
        flood_statuses: JSON.stringify(statuses),
        p99_ms_alone: idle.p99,
        p50_ms: busy.p50,
        p99_ms: busy.p99,
        longest_livez_ms: busy.livez,
      })
      expect(Object.values(statuses).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(800)
      expect(busy.failed).toBe(0)
      expect(busy.p99).toBeLessThan(10 * Math.max(idle.p99, idleAtLeastMs))
    },
  )
})
