import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  canStartServers,
  createInstance,
  type Instance,
  whyNoServers,
} from '../support/postgres-instance.ts'
import { end, launch, startProcess } from '../support/service-process.ts'
import { createDatabase, inDatabase, ownKey, readWallets } from './support/database-service.ts'
import { canPool, startPooler, whyNoPooler } from './support/pgbouncer.ts'
import { canTry, report } from './support/report.ts'
import { atScale } from './support/scale.ts'
import { count, expectHonest, expectKept, startWrites } from './support/writes.ts'

// A pooler between the service and its database: one that pools sessions is like none; any other one
// would mix up what belongs to a connection, and is rejected at the start.

const possible = canTry(canStartServers, whyNoServers) && canTry(canPool, whyNoPooler)

let server: Instance
beforeAll(async () => {
  if (possible) server = await createInstance()
})
afterAll(() => server?.remove())

async function prepare(mode: string) {
  const pooler = await startPooler(server, mode)
  onTestFinished(pooler.stop)
  const database = await createDatabase(server)
  const environment = (options = '') => ({
    DATABASE_URL: pooler.url(database) + options,
    ENCRYPTION_KEY: ownKey,
    LOG_LEVEL: 'silent',
  })
  return { database, environment }
}

describe.runIf(possible)('behind PgBouncer', () => {
  test('that pools sessions the service works as without it, and keeps its settings', async () => {
    const { database, environment } = await prepare('session')
    const options = '?synchronous_commit=remote_write&max=5'
    const services = [await startProcess(environment(options)), await startProcess(environment())]
    onTestFinished(async () => {
      for (const { kill } of services) await kill()
    })
    const before = await readWallets(server, database)
    const all = await Promise.all(
      services.map(async ({ url }) => {
        const writes = startWrites(url, 8)
        await writes.succeeded()
        await new Promise((later) =>
          setTimeout(later, atScale({ quick: 1000, normal: 10_000, long: 60_000 })),
        )
        await writes.stop()
        return writes.answers
      }),
    )
    const answers = all.flat()
    expectHonest(answers)
    expectKept(answers, await readWallets(server, database, before))
    const figures = count(answers)
    expect(figures.acknowledged).toBe(answers.length)
    report('behind a pooler of sessions every call is answered and kept', figures)
  })

  test('that pools sessions each connection has its time limits', async () => {
    const { database, environment } = await prepare('session')
    const service = await startProcess(environment('?statement_timeout=700'))
    onTestFinished(service.kill)
    // What holds the table for longer than a statement may take.
    const held = server.sql(
      (sql) => sql.begin((db) => db.unsafe('lock table wallets; select pg_sleep(2)')),
      database,
    )
    await inDatabase(server, database, 'select pg_sleep(0.2)')
    const { status } = await service.post('/wallet/create', { iso_currency_code: 'EUR' })
    expect(status).toBe(503)
    await held
  })

  test.each(['transaction', 'statement'])('that pools by %s it does not start', async (mode) => {
    const { database, environment } = await prepare(mode)
    const { child, errors } = launch({ environment: environment() })
    const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
    onTestFinished(async () => void (await end(child, 'SIGKILL')))
    expect(code).toBe(1)
    expect(errors()).toBe(
      'the pooler in front of the database pools transactions: let it pool sessions (pool_mode = session in PgBouncer)\n',
    )
    const tables = await inDatabase(
      server,
      database,
      "select 1 from pg_tables where schemaname = 'public'",
    )
    expect(tables).toEqual([])
  })
})
