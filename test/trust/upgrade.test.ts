import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import {
  canStartServers,
  createInstance,
  type Instance,
  whyNoServers,
} from '../support/postgres-instance.ts'
import { type ServiceProcess, startProcess } from '../support/service-process.ts'
import { createDatabase, inDatabase, ownKey, readWallets } from './support/database-service.ts'
import { later, takingAway } from './support/later-versions.ts'
import { copyEarlierProgram, copyProgram, type ProgramCopy } from './support/program-copy.ts'
import { canTry, progress, report } from './support/report.ts'
import { atScale, scale } from './support/scale.ts'
import { count, expectHonest, expectKept, startWrites, type Writes } from './support/writes.ts'

// Processes of different versions on one database: the present program beside one that is made from it
// by a further migration and code that uses it, and beside the one before it in the history.

const possible = canTry(canStartServers, whyNoServers)
const callers = 4
const stepMs = atScale({ quick: 400, normal: 4000, long: 15_000 })

let server: Instance
let copy: ProgramCopy
beforeAll(async () => {
  if (!possible) return
  server = await createInstance()
  copy = copyProgram(later)
})
afterAll(async () => {
  copy?.remove()
  await server?.remove()
})

/** Starts a program on a database. */
async function launch(database: string, folder: string): Promise<ServiceProcess> {
  const environment = { DATABASE_URL: server.url(database), ENCRYPTION_KEY: ownKey }
  const service = await startProcess(environment, folder)
  onTestFinished(service.kill)
  return service
}

/** Lets writes go on for a step of the upgrade, and sees that each of the processes does its part. */
async function step(name: string, writes: readonly Writes[]): Promise<void> {
  progress(name)
  await Promise.all(writes.map((one) => one.succeeded()))
  await sleep(stepMs)
}

/** What one process has hashed and encrypted, the other knows and can read. */
async function expectShared(one: ServiceProcess, other: ServiceProcess): Promise<void> {
  for (const [writer, reader] of [
    [one, other],
    [other, one],
  ] as const) {
    const link = { institution_id: 'ins_109508', initial_products: ['auth'] }
    const { public_token } = (await writer.post('/sandbox/public_token/create', link)).body
    const exchanged = await reader.post('/item/public_token/exchange', { public_token })
    const { access_token } = exchanged.body
    expect((await writer.post('/accounts/get', { access_token })).status).toBe(200)
    const { wallets } = (await writer.post('/wallet/list', { count: 20 })).body
    for (const { wallet_id } of (wallets as { wallet_id: string }[]).slice(0, 3)) {
      const [own, others] = await Promise.all([
        writer.post('/wallet/get', { wallet_id }),
        reader.post('/wallet/get', { wallet_id }),
      ])
      expect(own.body['numbers']).toEqual(others.body['numbers'])
      expect([own.status, others.status]).toEqual([200, 200])
    }
  }
}

describe.runIf(possible)('an upgrade', () => {
  test('goes on under load, with old and new processes, forward and back', {
    timeout: 240_000,
  }, async () => {
    const database = await createDatabase(server)
    const old = await launch(database, root)
    const before = await readWallets(server, database)
    const writes = [startWrites(old.url, callers)]
    await step('the old one alone', writes)
    // The new one migrates under the load of the old one, which then goes on beside it.
    const fresh = await launch(database, copy.folder)
    writes.push(startWrites(fresh.url, callers))
    await step('both', writes)
    await expectShared(old, fresh)
    // One of the old version that starts now finds a schema that it does not know.
    const again = await launch(database, root)
    writes.push(startWrites(again.url, callers))
    await step('an old one that starts beside the new one', writes)
    // Back to the old version alone, and forward once more.
    await writes[1]?.stop()
    await untilNoted(database)
    await fresh.stop()
    await step('the old ones alone, on the new schema', [writes[0], writes[2]] as Writes[])
    const last = await launch(database, copy.folder)
    writes.push(startWrites(last.url, callers))
    await step('the new one again', writes.slice(2))
    for (const one of writes) await one.stop()
    await untilNoted(database)
    const answers = writes.flatMap((one) => one.answers)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expectKept(answers, await readWallets(server, database, before))
    const newOnes = [writes[1], writes[3]].flatMap((one) => one?.answers ?? [])
    const noted = await inDatabase(server, database, 'select wallet_id from wallet_notes')
    expect(noted).toHaveLength(newOnes.length)
    report('old and new code run beside each other on one database, forward and back', {
      ...count(answers),
      by_new_code: newOnes.length,
    })
  })

  // The rule itself is among the tests of migrations.
  test.skipIf(scale === 'quick')('that takes something away leaves old programs out', async () => {
    const database = await createDatabase(server)
    const contracting = copyProgram(takingAway)
    onTestFinished(contracting.remove)
    const newer = await launch(database, contracting.folder)
    await newer.stop()
    const lines = [await refusal(database), await refusal(database)]
    for (const line of lines)
      expect(line).toMatch(/^[^\n]*newer version \(9002-contract\.sql\)[^\n]*upgrade this one$/)
    report('a program that a migration has left behind refuses to start, in one line', {
      refused: lines.length,
    })
  })

  test('from the version before this one goes on under load', { timeout: 240_000 }, async () => {
    const earlier = copyEarlierProgram()
    canTry(earlier !== undefined, 'the version before this one: no history here')
    if (!earlier) return
    onTestFinished(earlier.remove)
    const database = await createDatabase(server)
    const old = await launch(database, earlier.folder)
    const before = await readWallets(server, database)
    const writes = [startWrites(old.url, callers)]
    await step('the version before', writes)
    const present = await launch(database, root)
    writes.push(startWrites(present.url, callers))
    await step('both', writes)
    await expectShared(old, present)
    for (const one of writes) await one.stop()
    const answers = writes.flatMap((one) => one.answers)
    expectHonest(answers)
    expectKept(answers, await readWallets(server, database, before))
    report('the version before this one runs beside it while it is upgraded', {
      commit: earlier.commit,
      ...count(answers),
    })
  })
})

/** What the present program says when it does not start. */
async function refusal(database: string): Promise<string> {
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: server.url(database),
    ENCRYPTION_KEY: ownKey,
  }
  const main = join(root, 'src/server/main.ts')
  // One that starts after all is ended, and has said nothing.
  const options = { env, timeout: 30_000 }
  const run = promisify(execFile)(process.execPath, [main, '--port', '0'], options)
  const failed = await run.catch((error: { code: number; stderr: string }) => error)
  expect('code' in failed && failed.code).toBe(1)
  return failed.stderr.trimEnd()
}

/** Waits until all work of the new kind is done, which only new processes know. */
async function untilNoted(database: string): Promise<void> {
  const sql = "select attempts from jobs where kind = 'walletNote'"
  for (;;) {
    const waiting = await inDatabase<{ attempts: number }>(server, database, sql)
    if (waiting.length === 0) return
    // Old processes leave it alone: none has tried it, failed, and put it off.
    expect(waiting.filter(({ attempts }) => attempts > 0)).toEqual([])
    await sleep(50)
  }
}
