import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isServerThere } from '../support/postgres-server.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { end } from '../support/service-process.ts'
import { type KillOutcome, killAgainAndAgain } from './support/kill-rounds.ts'
import { createRandom } from './support/random.ts'
import { canTry, report } from './support/report.ts'
import { atScale } from './support/scale.ts'
import { launchTrial, startTrial } from './support/trial-service.ts'
import { createFolder, createServerDatabase, type TrialStore } from './support/trial-store.ts'

const onSqlite = atScale({ quick: 10, normal: 60, long: 200 })
const onPostgres = atScale({ quick: 4, normal: 20, long: 50 })
const firstStarts = atScale({ quick: 2, normal: 15, long: 40 })
const timeout = 300_000 + 12_000 * (onSqlite + onPostgres)

let receiver: Receiver
let store: TrialStore
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(async () => {
  await receiver.close()
  await store.remove()
})

function conclude(claim: string, outcome: KillOutcome): void {
  const { lost, torn, surprises, undelivered, ...figures } = outcome
  report(claim, { ...figures, lost: lost.length, half_writes: torn.length })
  expect({ lost, torn, surprises, undelivered }).toEqual({
    lost: [],
    torn: [],
    surprises: [],
    undelivered: [],
  })
  expect(outcome.acknowledged).toBeGreaterThan(outcome.kills)
  expect(outcome.events).toBeGreaterThan(0)
}

describe('kill -9 at random moments under load', () => {
  test('loses nothing that was acknowledged on SQLite', { timeout }, async () => {
    store = createFolder()
    const outcome = await killAgainAndAgain(store, receiver, onSqlite)
    conclude('kill -9 on SQLite: nothing acknowledged is lost, no half write', outcome)
  })

  test('loses nothing that was acknowledged on PostgreSQL', { timeout }, async () => {
    store = createFolder()
    if (!canTry(await isServerThere(), 'no PostgreSQL answers')) return
    store = await createServerDatabase()
    const outcome = await killAgainAndAgain(store, receiver, onPostgres)
    conclude('kill -9 on PostgreSQL: nothing acknowledged is lost, no half write', outcome)
  })

  test('of a first start leaves a folder that the next one takes', { timeout }, async () => {
    const random = createRandom('first starts')
    const figures = { kills: 0, before_it_listened: 0 }
    for (let round = 0; round < firstStarts; round += 1) {
      store = createFolder()
      const { child, address } = launchTrial({ environment: store.environment })
      let listens = false
      void address.then((url) => {
        listens = url !== undefined
      })
      // A first start takes longer than that everywhere.
      await sleep(random.between(50, 350))
      if (!listens) figures.before_it_listened += 1
      await end(child, 'SIGKILL')
      if (child.signalCode === 'SIGKILL') figures.kills += 1
      const service = await startTrial({ environment: store.environment })
      expect((await service.post('/wallet/list', {})).status).toBe(200)
      await service.kill()
      await store.remove()
    }
    report('a first start that is killed is simply started again', figures)
    expect(figures.kills).toBe(firstStarts)
    expect(figures.before_it_listened).toBeGreaterThan(0)
  })
})
