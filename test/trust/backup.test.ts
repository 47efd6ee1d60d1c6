import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isServerThere, urlOf } from '../support/postgres-server.ts'
import { run, runBackup } from './support/make-backup.ts'
import { createRandom } from './support/random.ts'
import { canTry, report } from './support/report.ts'
import { findBroken } from './support/restored.ts'
import { atScale } from './support/scale.ts'
import { findHalfWrites, findLost, findUndelivered } from './support/trial-checks.ts'
import { prepareGround } from './support/trial-ground.ts'
import { copyOf, newLedger } from './support/trial-ledger.ts'
import { startTrialLoad } from './support/trial-load.ts'
import { createScene } from './support/trial-scene.ts'
import { startTrial } from './support/trial-service.ts'
import { createServerDatabase, lookAtCopy, type TrialStore } from './support/trial-store.ts'

const backups = atScale({ quick: 2, normal: 8, long: 25 })
const dumps = atScale({ quick: 1, normal: 4, long: 10 })
const kills = atScale({ quick: 2, normal: 8, long: 20 })
const moreMegabytes = atScale({ quick: 0, normal: 100, long: 400 })
const timeout = 120_000 + 30_000 * backups

const { receiver, atEnd, folder, started } = createScene()

let top: string
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'backup-'))
})
afterEach(() => rmSync(top, { recursive: true, force: true }))

/** A service under load, and what it has acknowledged. */
async function underLoad(store: TrialStore) {
  const service = await started(store.environment)
  const ground = await prepareGround(service.post, receiver().url)
  const ledger = newLedger()
  const load = startTrialLoad(ground, ledger)
  load.use(service.post)
  atEnd(async () => {
    load.use(undefined)
    await load.stop()
  })
  await load.answers(40)
  return { service, ground, ledger, load }
}

/** Lets webhooks wait, so that a copy holds some that are not delivered yet. */
async function rejectWebhooks(load: Laden['load']): Promise<void> {
  receiver().behave(503)
  await load.answers(40)
}

type Laden = Awaited<ReturnType<typeof underLoad>>

const p99 = (times: readonly number[]): number =>
  Math.round([...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0)

/** What a copy holds that no receiver had taken when it was made. */
const pendingIn = (look: Look): Promise<string[]> =>
  look(async (all) => {
    const rows = await all(
      "select body from webhook_deliveries where status = 'pending' and url like 'http://127%'",
    )
    return rows.map(({ body }) => String(body))
  })

/**
 * Starts on what was put back, with nobody else left to deliver, and sees that all works and all is
 * told: what the copy holds as pending once more, whatever the first one has told already.
 */
async function findBrokenOn(
  environment: Record<string, string>,
  { ledger, service: first }: Laden,
  look: Look,
) {
  await first.stop()
  receiver().behave(200)
  const pending = await pendingIn(look)
  const signed = receiver().received.slice(-5)
  const before = receiver().received.length
  const service = await started(environment)
  const broken = await findBroken(service, ledger, signed)
  await service.post('/sandbox/clock/advance', { seconds: 60 })
  await service.stop()
  const undelivered = await look((all) => findUndelivered(all, receiver().received))
  const later = new Set(
    receiver()
      .received.slice(before)
      .map(({ body }) => String(body)),
  )
  const untold = pending.filter((body) => !later.has(body)).map((body) => `not told: ${body}`)
  expect(pending.length).toBeGreaterThan(0)
  return { broken: [...broken, ...undelivered, ...untold], pending: pending.length }
}

type Look = TrialStore['look']

describe('a backup of SQLite', () => {
  test('made under load is whole, and a service goes on from it', { timeout }, async () => {
    const store = folder()
    if (moreMegabytes > 0) await grow(store, moreMegabytes)
    const laden = await underLoad(store)
    const { ledger, ground, load } = laden
    const found = { lost: [] as string[], torn: [] as string[], broken: [] as string[] }
    const [times, calm] = [[] as number[], [...load.times]]
    let [size, pending] = [0, 0]
    for (let turn = 1; turn <= backups; turn += 1) {
      const acknowledged = copyOf(ledger)
      const [target, from] = [join(top, `backup-${turn}`), load.times.length]
      if (turn === backups) await rejectWebhooks(load)
      const ended = await runBackup(target, '--data', store.folder)
      expect(ended).toMatchObject({ code: 0, errors: '' })
      times.push(ended.ms)
      const copy = join(target, 'service.sqlite')
      size = statSync(copy).size
      await lookAtCopy(copy, async (all) => {
        found.lost.push(...(await findLost(all, acknowledged, ground)))
        found.torn.push(...(await findHalfWrites(all, ground)))
      })
      if (turn < backups) continue
      report('writes go on while a backup is made', {
        p99_ms: p99(load.times.slice(from)),
        p99_before_ms: p99(calm),
        answered_meanwhile: load.times.length - from,
      })
      load.use(undefined)
      const restored = { ...laden, ledger: acknowledged }
      const look: Look = (work) => lookAtCopy(copy, work)
      const started = await findBrokenOn({ DATA_DIR: target }, restored, look)
      found.broken.push(...started.broken)
      pending = started.pending
    }
    report('a backup of SQLite under load holds every change acknowledged before it', {
      backups,
      megabytes: Math.round(size / 1e6),
      slowest_ms: Math.max(...times),
      acknowledged: load.counts().answered,
      webhooks_pending_and_then_told: pending,
      lost: found.lost.length,
      half_writes: found.torn.length,
      broken: found.broken.length,
    })
    expect(found).toEqual({ lost: [], torn: [], broken: [] })
    expect(load.surprises).toEqual([])
  })

  test('whose service is killed meanwhile is not taken for one', { timeout }, async () => {
    const random = createRandom('killed backups')
    const store = folder()
    await grow(store, 60)
    const laden = await underLoad(store)
    const ends = { made: 0, none: 0 }
    for (let turn = 1; turn <= kills; turn += 1) {
      const target = join(top, `backup-${turn}`)
      const service = turn === 1 ? laden.service : await started(store.environment)
      laden.load.use(undefined)
      const making = runBackup(target, '--data', store.folder)
      while (!existsSync(target)) await sleep(5)
      // The first at once, so that one is cut off for certain.
      await sleep(turn === 1 ? 0 : random.between(0, 120))
      await service.kill()
      const { code, errors } = await making
      if (code !== 0) expect(errors).toMatch(/^no backup was made: [^\n]+\n$/)
      const isThere = existsSync(join(target, 'service.sqlite'))
      expect(isThere).toBe(code === 0)
      if (isThere) ends.made += 1
      else ends.none += 1
    }
    report('a backup that is cut off has no name that a start would take', { kills, ...ends })
    expect(ends.none).toBeGreaterThan(0)
  })
})

type Folder = ReturnType<typeof folder>

/** Lets a store be as large as one in long use. */
async function grow({ environment, folder: data }: Folder, megabytes: number) {
  const first = await startTrial({ environment })
  await first.stop()
  const database = new DatabaseSync(join(data, 'service.sqlite'))
  database.exec('create table filler (bytes blob)')
  const insert = database.prepare('insert into filler values (randomblob(1000000))')
  for (let count = 0; count < megabytes; count += 1) insert.run()
  database.close()
}

describe('a dump of PostgreSQL', () => {
  test('made under load is whole, and a service goes on from it', { timeout }, async () => {
    const tools = [await run('pg_dump', ['--version']), await run('pg_restore', ['--version'])]
    const hasTools = tools.every(({ code }) => code === 0)
    if (!canTry(hasTools && (await isServerThere()), 'no PostgreSQL with its tools answers')) return
    const store = await createServerDatabase()
    atEnd(store.remove)
    const laden = await underLoad(store)
    const { ledger, ground, load } = laden
    const found = { lost: [] as string[], torn: [] as string[], broken: [] as string[] }
    const times: number[] = []
    let pending = 0
    for (let turn = 1; turn <= dumps; turn += 1) {
      const acknowledged = copyOf(ledger)
      const file = join(top, `dump-${turn}`)
      if (turn === dumps) await rejectWebhooks(load)
      const dumped = await run('pg_dump', ['-Fc', '-f', file, urlOf(store.name)])
      expect(dumped).toMatchObject({ code: 0 })
      times.push(dumped.ms)
      const restored = await createServerDatabase()
      atEnd(restored.remove)
      const put = await run('pg_restore', ['--no-owner', '-d', urlOf(restored.name), file])
      expect(put).toMatchObject({ code: 0 })
      await restored.look(async (all) => {
        found.lost.push(...(await findLost(all, acknowledged, ground)))
        found.torn.push(...(await findHalfWrites(all, ground)))
      })
      if (turn < dumps) continue
      load.use(undefined)
      await restored.endClaims()
      const started = await findBrokenOn(
        restored.environment,
        { ...laden, ledger: acknowledged },
        restored.look,
      )
      found.broken.push(...started.broken)
      pending = started.pending
    }
    report('a dump of PostgreSQL under load holds every change acknowledged before it', {
      dumps,
      slowest_ms: Math.max(...times),
      acknowledged: load.counts().answered,
      webhooks_pending_and_then_told: pending,
      lost: found.lost.length,
      half_writes: found.torn.length,
      broken: found.broken.length,
    })
    expect(found).toEqual({ lost: [], torn: [], broken: [] })
  })
})
