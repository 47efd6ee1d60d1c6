import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { canStartServers, whyNoServers } from '../support/postgres-instance.ts'
import { type ServiceProcess, startProcess } from '../support/service-process.ts'
import { ownKey, readWallets } from './support/database-service.ts'
import { type Cluster, createCluster } from './support/postgres-cluster.ts'
import { createRandom } from './support/random.ts'
import { canTry, progress, report } from './support/report.ts'
import { atScale } from './support/scale.ts'
import { count, expectHonest, expectKept, startWrites, type Written } from './support/writes.ts'

// Two servers with synchronous replication. The one that writes is lost under load, and the other takes
// over: the service gets no notice, and has the addresses of both.

const possible = canTry(canStartServers, whyNoServers)
const { between } = createRandom('failover')
const rounds = atScale({ quick: 1, normal: 6, long: 24 })
const database = 'service'

let cluster: Cluster
let service: ServiceProcess
let before: Set<string>
beforeAll(async () => {
  if (!possible) return
  cluster = await createCluster()
  await cluster.primary.sql((sql) => sql.unsafe(`create database ${database}`))
  const hosts = [cluster.standby, cluster.primary].map(({ port }) => `127.0.0.1:${port}`)
  service = await startProcess({
    DATABASE_URL: `postgres://postgres@${hosts}/${database}?target_session_attrs=read-write`,
    ENCRYPTION_KEY: ownKey,
    LOG_LEVEL: 'silent',
  })
  before = await readWallets(cluster.primary, database)
}, 120_000)
afterAll(async () => {
  await service?.kill()
  await cluster?.remove()
})

const stored = () => readWallets(cluster.primary, database, before)

describe.runIf(possible)('two servers with synchronous replication', () => {
  const all: Written[] = []

  test('lose nothing that was acknowledged when one of them is lost', {
    timeout: 60_000 * (rounds + 1),
  }, async () => {
    const [promotions, backs]: number[][] = [[], []]
    for (let round = 0; round < rounds; round += 1) {
      progress(`fail-over ${round + 1} of ${rounds}`)
      const writes = startWrites(service.url, 8)
      await writes.succeeded()
      await sleep(between(200, 1000))
      await cluster.primary.stop(round % 2 === 0 ? 'kill' : 'immediate')
      const lost = performance.now()
      await cluster.promote()
      const promoted = performance.now()
      promotions?.push(promoted - lost)
      backs?.push((await writes.succeeded()) - promoted)
      await writes.stop()
      all.push(...writes.answers)
      expectHonest(all)
      expectKept(all, await stored())
      await cluster.rebuild()
    }
    report('a fail-over under load loses nothing that was acknowledged', {
      fail_overs: rounds,
      ...count(all),
      promotion_ms: Math.round(Math.max(...(promotions ?? []))),
      back_after_ms: Math.round(Math.max(...(backs ?? []))),
    })
  })

  test('acknowledge nothing that only one of them has', { timeout: 120_000 }, async () => {
    await cluster.standby.stop('fast')
    const writes = startWrites(service.url, 4)
    await sleep(1000)
    // An operator who ends what waits for the standby makes the server answer that all is well.
    const ended = await cluster.primary.sql(
      (sql) =>
        sql`select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`,
    )
    const alone = writes.answers.slice()
    const stopping = writes.stop()
    await cluster.standby.start()
    await stopping
    expect(ended.length).toBeGreaterThan(0)
    expect(alone.filter(({ status }) => status === 200)).toEqual([])
    all.push(...writes.answers)
    expectHonest(all)
    expectKept(all, await stored())
    report('without its standby a server acknowledges nothing', {
      commits_ended_by_hand: ended.length,
      ...count(writes.answers),
    })
  })
})
