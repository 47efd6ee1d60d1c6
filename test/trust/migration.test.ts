import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import { clientTables } from '../../src/server/db/client-tables.ts'
import { migrate, readMigrations, statementsOf } from '../../src/server/db/migrate.ts'
import type { Database } from '../../src/server/kernel/database.ts'
import { openPlace } from '../support/engine.ts'
import {
  canStartServers,
  createInstance,
  type Instance,
  whyNoServers,
} from '../support/postgres-instance.ts'
import { startProcess } from '../support/service-process.ts'
import { createDatabase, ownKey } from './support/database-service.ts'
import { createRandom } from './support/random.ts'
import { canTry, progress, report } from './support/report.ts'
import { atScale } from './support/scale.ts'

// First starts that are killed: at each statement of the migrations and of the seed data.
// Each leaves nothing, or all of it, and the next start does not notice.

const possible = canTry(canStartServers, whyNoServers)
const { between } = createRandom('migration')

let server: Instance
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'migration-'))
  if (possible) server = await createInstance()
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await server?.remove()
})

/** As many as `migrate` sends: the list of migrations, and each with its line there. */
const statements = readMigrations().reduce((sum, { sql }) => sum + statementsOf(sql).length + 1, 1)

let files = 0
const newFile = async () => {
  files += 1
  return join(folder, `${files}.sqlite`)
}
const engines = [
  {
    name: 'SQLite',
    newAddress: newFile,
    listing: "select name, sql from sqlite_master where name not like 'sqlite%' order by name",
  },
  {
    name: 'PostgreSQL',
    newAddress: async () => server.url(await createDatabase(server)),
    listing: `select table_name, column_name, data_type, is_nullable, column_default
      from information_schema.columns where table_schema = 'public' order by 1, 2`,
  },
].filter(({ name }) => name === 'SQLite' || possible)

/** Runs migrations in a process that ends at one of their statements. */
async function dieAt(address: string, place: number, when: string): Promise<void> {
  const script = join(root, 'test/trust/support/database-migrating.ts')
  const child = spawn(process.execPath, [script, address, String(place), when], {
    stdio: 'inherit',
  })
  const [, signal] = await once(child, 'exit')
  expect(signal).toBe('SIGKILL')
}

async function opened<Result>(address: string, work: (database: Database) => Promise<Result>) {
  const database = await openPlace(address)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

describe.each(engines)('on $name', ({ name, newAddress, listing }) => {
  const schemaOf = (address: string) => opened(address, ({ single }) => single.all<object>(listing))

  test('a migration that is killed at a statement leaves nothing of itself', {
    timeout: 600_000,
  }, async () => {
    const whole = await newAddress()
    await opened(whole, migrate)
    const expected = await schemaOf(whole)
    const chosen = between(1, statements)
    const all = Array.from({ length: statements }, (_, index) => index + 1)
    const places = atScale({ quick: [1, chosen, statements], normal: all, long: all })
    let interrupted = 0
    for (const [index, place] of places.entries()) {
      progress(`${name}, statement ${place} of ${statements}`)
      const address = await newAddress()
      await dieAt(address, place, index % 2 === 0 || name === 'SQLite' ? 'before' : 'during')
      const left = await schemaOf(address)
      // It may have got to its commit before it died, and is whole then.
      if (left.length > 0) expect(left).toEqual(expected)
      else interrupted += 1
      await opened(address, migrate)
      expect(await schemaOf(address)).toEqual(expected)
    }
    expect(interrupted).toBeGreaterThan(0)
    report(`migrations killed at a statement leave nothing on ${name}, and succeed the next time`, {
      kills: places.length,
      interrupted,
      statements,
    })
  })
})

describe.runIf(possible)('first starts on PostgreSQL', () => {
  // Seed data of today, since one of the past has work that is due at once.
  const today = new Date().toISOString().slice(0, 10)
  const environmentOf = (database: string) => ({
    DATABASE_URL: server.url(database),
    ENCRYPTION_KEY: ownKey,
    FIXTURE_DATE: today,
  })

  /** How many rows each table has. */
  const countRows = (database: string) =>
    opened(server.url(database), async ({ single }) =>
      Object.fromEntries(
        await Promise.all(
          ['clients', 'settings', ...clientTables].map(async (table) => {
            const row = await single.first<{ found: number }>(
              `select count(*) as found from ${table}`,
            )
            return [table, row?.found] as const
          }),
        ),
      ),
    )

  test('that come at once, or are killed, write the seed data once, complete', {
    timeout: 600_000,
  }, async () => {
    const alone = await createDatabase(server)
    const begun = performance.now()
    const first = await startProcess(environmentOf(alone))
    const startMs = performance.now() - begun
    await first.stop()
    const expected = await countRows(alone)
    const rounds = atScale({ quick: 1, normal: 20, long: 60 })
    const together = atScale({ quick: 2, normal: 4, long: 6 })
    for (let round = 0; round < rounds; round += 1) {
      progress(`first start ${round + 1} of ${rounds}`)
      const database = await createDatabase(server)
      const main = join(root, 'src/server/main.ts')
      const killed = spawn(process.execPath, [main, '--port', '0'], {
        env: { PATH: process.env['PATH'], ...environmentOf(database) },
        stdio: 'ignore',
      })
      const starting = Array.from({ length: together }, () => startProcess(environmentOf(database)))
      await sleep(between(0, Math.round(startMs)))
      killed.kill('SIGKILL')
      const started = await Promise.all(starting)
      for (const service of started) onTestFinished(service.kill)
      expect(await countRows(database)).toEqual(expected)
      for (const service of started) await service.kill()
    }
    report('first starts at once, one of them killed, make one world', {
      rounds,
      starts_at_once: together + 1,
    })
  })
})
