import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../src/server/kernel/database.ts'
import { createKeys } from '../../src/server/kernel/keys.ts'
import { isUsualRun } from '../sets.ts'
import { loopbackSettings } from '../support/connected.ts'
import { engine, openTestStore } from '../support/engine.ts'
import { startService, type TestService } from '../support/service.ts'
import { liveThrough } from '../support/simplefin-year.ts'

// A bank goes through a year in which much goes wrong, and two processes read it and are killed.

const days = isUsualRun ? 40 : engine === 'postgres' ? 180 : 365
const seeds = [1]

let now = Date.parse('2026-01-01T12:00:00Z')
let databases: Database[]
let remove: () => Promise<void>
let service: TestService
beforeAll(async () => {
  const store = await openTestStore()
  databases = store.databases
  remove = store.remove
  service = await startService({
    database: databases[0] as Database,
    keys: createKeys(randomBytes(32)),
    settings: loopbackSettings,
    clock: () => now,
    log: { info: () => {}, error: () => {} },
    checkAnswer: undefined,
  })
})
afterAll(async () => {
  await service.close()
  for (const database of databases.slice(1)) await database.close()
  await remove()
})

test.each(seeds)('seed %i: no row is lost or doubled', { timeout: 300_000 }, async (seed) => {
  const tenant = await service.tenant()
  const begun = performance.now()
  const { lost, doubled, twins, changedByFailure, mostCalls, balances, ...figures } =
    await liveThrough(service, tenant, {
      ...{ seed, days, start: now },
      databases: databases.length > 1 ? databases : ([databases[0], databases[0]] as Database[]),
      setClock: (ms) => {
        now = ms
      },
    })
  const seconds = Math.round((performance.now() - begun) / 1000)
  console.log(
    JSON.stringify({
      seed,
      days,
      ...figures,
      mostCalls,
      lost: lost.length,
      doubled: doubled.length,
      seconds,
    }),
  )
  expect({ lost, doubled, twins, changedByFailure }).toEqual({
    lost: [],
    doubled: [],
    twins: 0,
    changedByFailure: 0,
  })
  expect(mostCalls).toBeLessThanOrEqual(24)
  expect(balances.shown).toEqual(balances.told)
})
