import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  canStartServers,
  createInstance,
  type Instance,
  whyNoServers,
} from '../support/postgres-instance.ts'
import { type DatabaseLine, openDatabaseLine } from './support/database-line.ts'
import { type DatabaseService, inDatabase, startOn } from './support/database-service.ts'
import { createRandom } from './support/random.ts'
import { canTry, progress, report } from './support/report.ts'
import { atScale } from './support/scale.ts'
import {
  count,
  expectHonest,
  expectKept,
  startWrites,
  type Writes,
  type Written,
} from './support/writes.ts'

// A service whose database fails in the ways that databases do. Each call is answered within a bound,
// and honestly; what was answered with success is there afterwards; all goes on without any help.

const possible = canTry(canStartServers, whyNoServers)
const { between } = createRandom('database')
const callers = 8
/** Beyond this a call hangs; what a call waits for a database is much less. */
const hangMs = 30_000
const maxConnections = 30
// The usual limit of a statement is ten seconds, and three more for the line.
const options = atScale({ quick: '?statement_timeout=500', normal: '', long: '' })

let server: Instance
let line: DatabaseLine
let running: DatabaseService
beforeAll(async () => {
  if (!possible) return
  server = await createInstance({ max_connections: String(maxConnections) })
  line = await openDatabaseLine(server.port)
  running = await startOn(server, line.port, options)
})
afterAll(async () => {
  await running?.service.kill()
  await line?.close()
  await server?.remove()
})

const all: Written[] = []

/** Ends the calls, and holds their answers against what is stored; what they were. */
async function judge(writes: Writes) {
  await writes.stop()
  all.push(...writes.answers)
  expectHonest(writes.answers)
  expectKept(all, await running.written())
  const figures = count(writes.answers)
  expect(figures.slowest_ms).toBeLessThan(hangMs)
  return figures
}

/** Lets calls succeed again, and says after how long since now. */
async function recover(writes: Writes): Promise<number> {
  const begun = performance.now()
  return Math.round((await writes.succeeded()) - begun)
}

const begin = async (): Promise<Writes> => {
  const writes = startWrites(running.service.url, callers)
  await writes.succeeded()
  return writes
}

async function untilRejected({ answers }: Writes): Promise<void> {
  const until = performance.now() + hangMs
  while (!answers.some(({ status }) => status !== 200)) {
    if (performance.now() > until) throw new Error('calls hang')
    await sleep(20)
  }
}

const endConnections = (most: number) =>
  inDatabase(
    server,
    'postgres',
    `select pg_terminate_backend(pid) from (select pid from pg_stat_activity
      where datname = '${running.database}' order by xact_start nulls last, random()
      limit ${most}) chosen`,
  )

describe.runIf(possible)('a service whose database', { timeout: 900_000 }, () => {
  test('restarts under load loses nothing that it acknowledged', async () => {
    const restarts = atScale({ quick: 2, normal: 15, long: 90 })
    const writes = await begin()
    const back: number[] = []
    for (let round = 0; round < restarts; round += 1) {
      progress(`restart ${round + 1} of ${restarts}`)
      await sleep(between(0, 300))
      await server.stop((['immediate', 'fast', 'kill'] as const)[round % 3] ?? 'fast')
      await server.start()
      back.push(await recover(writes))
    }
    report('restarts of the database under load lose nothing that was acknowledged', {
      restarts,
      ...(await judge(writes)),
      back_after_ms: Math.max(...back),
    })
  })

  test('is away for half a minute says so, and goes on by itself', async () => {
    const away_ms = atScale({ quick: 5500, normal: 30_000, long: 120_000 })
    const writes = await begin()
    await server.stop('fast')
    await sleep(away_ms)
    await untilRejected(writes)
    await server.start()
    const back_after_ms = await recover(writes)
    const figures = await judge(writes)
    report('an outage of the database is answered 503, and over when it is over', {
      away_ms,
      ...figures,
      back_after_ms,
    })
    expect(figures.refused_503).toBeGreaterThan(0)
  })

  test('ends connections in the middle of transactions loses nothing', async () => {
    const rounds = atScale({ quick: 30, normal: 600, long: 6000 })
    const writes = await begin()
    let ended = 0
    for (let round = 0; round < rounds; round += 1) {
      progress(`connection ${round} of ${rounds}`)
      // One that is in a transaction, if there is one at this moment.
      ended += (await endConnections(1)).length
      await sleep(between(0, 20))
    }
    await recover(writes)
    const figures = await judge(writes)
    report('connections that the server ends in mid transaction lose nothing', {
      ended,
      ...figures,
    })
  })

  test.each([
    { behaviour: 'losing commits', words: 'before the server has them' },
    { behaviour: 'losing answers', words: 'before they are confirmed' },
  ] as const)('loses connections at commits, $words', async ({ behaviour, words }) => {
    const writes = await begin()
    line.behave(behaviour)
    await sleep(atScale({ quick: 500, normal: 10_000, long: 60_000 }))
    line.behave('passing')
    await recover(writes)
    const figures = await judge(writes)
    report(`commits whose connection is lost ${words} are acknowledged to nobody`, figures)
    expect(figures.outcome_unknown).toBeGreaterThan(0)
  })

  test('has no connections left says so, and goes on when it has', async () => {
    const writes = await begin()
    const others = postgres(server.url('postgres'), { max: 2 * maxConnections, onnotice: () => {} })
    const take = async () => {
      const asked = Array.from({ length: 2 * maxConnections }, () => others`select pg_sleep(0.1)`)
      const taken = await Promise.allSettled(asked)
      return taken.filter(({ status }) => status === 'fulfilled').length
    }
    // What the service has is taken away as well, and is gone before it can be had again.
    await take()
    const own = await others`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = ${running.database}`
    const until = performance.now() + atScale({ quick: 1500, normal: 20_000, long: 60_000 })
    const waitedMs = 500
    let fewest = own.length
    while (performance.now() < until) {
      await take()
      const had = await others`select 1 from pg_stat_activity where datname = ${running.database}`
      fewest = Math.min(fewest, had.length)
    }
    await others.end({ timeout: 0 })
    const back_after_ms = await recover(writes)
    const figures = await judge(writes)
    report('a server without connections left is waited for, then answered 503', {
      taken_away: own.length,
      fewest_left: fewest,
      ...figures,
      back_after_ms,
    })
    expect(fewest).toBeLessThan(own.length)
    const ranShort = figures.refused_503 > 0 || figures.slowest_ms > waitedMs
    expect(ranShort).toBe(true)
  })

  test('holds a lock that everybody needs frees its connections', async () => {
    const locked_ms = atScale({ quick: 1500, normal: 25_000, long: 60_000 })
    const writes = await begin()
    const blocker = postgres(server.url(running.database), { max: 1, onnotice: () => {} })
    await blocker.begin(async (sql) => {
      await sql`lock table wallets in access exclusive mode`
      await sleep(locked_ms)
    })
    const back_after_ms = await recover(writes)
    await blocker.end({ timeout: 1 })
    const figures = await judge(writes)
    report('statements that hang end at their limit, and free their connections', {
      locked_ms,
      ...figures,
      back_after_ms,
    })
    expect(figures.refused_503).toBeGreaterThan(0)
  })

  test('is slow is waited for', async () => {
    const writes = await begin()
    line.behave('slow')
    await sleep(atScale({ quick: 800, normal: 15_000, long: 60_000 }))
    line.behave('passing')
    const figures = await judge(writes)
    report('a database that trickles its answers is waited for', figures)
    expect(figures.acknowledged).toBe(writes.answers.length)
  })

  test('falls silent without a word is left, and found again', async () => {
    const writes = await begin()
    // Until the connections have prepared their statements: of one that falls silent between the two
    // messages of that, only the keep-alive of a real network would tell the server.
    await sleep(500)
    const silent = performance.now()
    line.behave('silent')
    await untilRejected(writes)
    const noticed_after_ms = Math.round(performance.now() - silent)
    line.behave('passing')
    const back_after_ms = await recover(writes)
    // The server gives up what it still holds for them: the lock of their client.
    expect(back_after_ms).toBeLessThan(20_000)
    report('connections that fall silent are given up, and others take their place', {
      noticed_after_ms,
      ...(await judge(writes)),
      back_after_ms,
    })
  })
})
