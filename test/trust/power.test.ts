import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import { findRisks } from '../../src/server/db/durability.ts'
import { openPostgres } from '../../src/server/db/postgres.ts'
import { isServerThere, urlOf } from '../support/postgres-server.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { cutPower, type Traced, traceService } from './support/power-cut.ts'
import { canTry, report } from './support/report.ts'
import { atScale } from './support/scale.ts'
import { createServerDatabase } from './support/trial-store.ts'

const answers = atScale({ quick: 150, normal: 1000, long: 5000 })
const cuts = atScale({ quick: 15, normal: 100, long: 500 })
const starts = atScale({ quick: 2, normal: 20, long: 60 })
const controlAnswers = atScale({ quick: 100, normal: 300, long: 1000 })
const timeout = 300_000 + 5000 * cuts

const hasTracer = () =>
  canTry(spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0, 'strace cannot trace here')

let receiver: Receiver
const closing: (() => Promise<unknown>)[] = []
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  await receiver.close()
})

async function traced(answers: number, preload: readonly string[] = []): Promise<Traced> {
  const made = await traceService(receiver, answers, preload)
  closing.push(made.remove)
  return made
}

describe('a power cut on PostgreSQL', () => {
  test('is left to the server, whose durability no connection of ours weakens', async () => {
    if (!canTry(await isServerThere(), 'no PostgreSQL answers')) return
    const { name, remove } = await createServerDatabase()
    closing.push(remove)
    const durable = await openPostgres(urlOf(name))
    const settings = await durable.single.first<Record<string, string>>(
      `select current_setting('fsync') as fsync,
        current_setting('synchronous_commit') as synchronous_commit,
        current_setting('full_page_writes') as full_page_writes`,
    )
    expect(await findRisks(durable)).toEqual([])
    await durable.close()
    const weak = await openPostgres(`${urlOf(name)}?synchronous_commit=off`)
    expect(await findRisks(weak)).toHaveLength(1)
    await weak.close()
    report('our connections to PostgreSQL keep its durability, and one that does not is told', {
      ...settings,
    })
  })
})

describe('a power cut on SQLite', () => {
  test('at any moment leaves everything that was acknowledged', { timeout }, async () => {
    if (!hasTracer()) return
    const whole = await traced(answers)
    const { too_early, lost, torn, refused, ...figures } = await cutPower(whole, { cuts, starts })
    report('each answer follows the sync of its log: a power cut at any moment loses nothing', {
      ...figures,
      too_early: too_early.length,
      lost: lost.length,
      half_writes: torn.length,
      refused_starts: refused.length,
    })
    expect({ too_early, lost, torn, refused }).toEqual({
      too_early: [],
      lost: [],
      torn: [],
      refused: [],
    })
    expect(figures.answers).toBeGreaterThanOrEqual(answers)
    expect(figures.cuts).toBeGreaterThan(cuts / 2)
  })

  test('is noticed where the store waits for no disk', { timeout }, async () => {
    if (!hasTracer()) return
    const unsynced = join(root, 'test/trust/support/unsynced.ts')
    const found = await cutPower(await traced(controlAnswers, [unsynced]), { cuts: 15, starts: 0 })
    report('control: with synchronous=OFF the same checks find answers that came too early', {
      answers: found.answers,
      too_early: found.too_early.length,
      cuts: found.cuts,
      lost: found.lost.length,
    })
    expect(found.too_early.length).toBeGreaterThan(found.answers / 2)
    expect(found.lost.length).toBeGreaterThan(0)
  })
})
