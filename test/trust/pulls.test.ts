import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { migrate } from '../../src/server/db/migrate.ts'
import { createDatabase, openPlace } from '../support/engine.ts'
import { isServerThere } from '../support/postgres-server.ts'
import { deaths, killPulls, type PullKills } from './support/pull-kills.ts'
import { canTry, report } from './support/report.ts'

// Each round starts a process, which takes seconds on a busy machine.
const timeout = 300_000

function conclude(claim: string, outcome: PullKills): void {
  const { lost, doubled, ...figures } = outcome
  report(claim, { ...figures, lost: lost.length, doubled: doubled.length })
  expect({ lost, doubled, twins: outcome.twins }).toEqual({ lost: [], doubled: [], twins: 0 })
  expect(outcome.kills).toBe(deaths.length)
  expect(outcome.mostCalls).toBeLessThanOrEqual(24)
}

test('kill -9 at each step of a read loses and doubles no row on SQLite', { timeout }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pulls-'))
  const address = join(folder, 'service.sqlite')
  try {
    const database = await openPlace(address)
    await migrate(database)
    await database.close()
    const outcome = await killPulls(address, false)
    conclude(
      'kill -9 at each step of a read from a bank, on SQLite: no row lost or doubled',
      outcome,
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the same on PostgreSQL, with a second process', { timeout }, async () => {
  if (!canTry(await isServerThere(), 'no PostgreSQL answers')) return
  const place = await createDatabase()
  try {
    const outcome = await killPulls(place.address, true)
    conclude(
      'kill -9 at each step of a read from a bank, on PostgreSQL: no row lost or doubled',
      outcome,
    )
  } finally {
    await place.remove()
  }
})
