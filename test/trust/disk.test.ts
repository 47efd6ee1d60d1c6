import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { end } from '../support/service-process.ts'
import { type FullOutcome, fillAgainAndAgain } from './support/full-disk.ts'
import { runBackup } from './support/make-backup.ts'
import { canTry, report } from './support/report.ts'
import { atScale } from './support/scale.ts'
import { mountDisk, type SmallDisk } from './support/small-disk.ts'
import { findHalfWrites, findLost } from './support/trial-checks.ts'
import { prepareGround } from './support/trial-ground.ts'
import { newLedger } from './support/trial-ledger.ts'
import { startTrialLoad } from './support/trial-load.ts'
import { createScene } from './support/trial-scene.ts'
import { childOf } from './support/trial-service.ts'
import { lookAtCopy, type TrialStore } from './support/trial-store.ts'

const rounds = atScale({ quick: 2, normal: 10, long: 30 })
const timeout = 60_000 + 10_000 * rounds
/** Room for what the rounds write before they are rejected, beside what fills the rest. */
const megabytes = 30 + 10 * rounds

const { receiver, atEnd, folder, started, lineOf } = createScene()

/** A disk of its own; undefined, in words, where this process may mount none. */
function smallDisk(): SmallDisk | undefined {
  const disk = mountDisk(megabytes)
  canTry(disk !== undefined, 'this process may not mount a small disk')
  if (disk) atEnd(disk.remove)
  return disk
}

function conclude(claim: string, outcome: FullOutcome): void {
  const { lost, torn, undelivered, surprises, wrong, ...figures } = outcome
  report(claim, { ...figures, lost: lost.length, half_writes: torn.length })
  expect({ lost, torn, undelivered, surprises, wrong }).toEqual({
    lost: [],
    torn: [],
    undelivered: [],
    surprises: [],
    wrong: [],
  })
}

const storeOn = (data: string): TrialStore => ({
  environment: { DATA_DIR: data },
  look: (work) => lookAtCopy(join(data, 'service.sqlite'), work),
  endClaims: async () => {},
  remove: async () => {},
})

describe('a disk without room', () => {
  test('rejects writes for a while, answers reads, and nothing is lost', { timeout }, async () => {
    const disk = smallDisk()
    if (!disk) return
    const store = storeOn(join(disk.folder, 'data'))
    const service = await started(store.environment)
    const outcome = await fillAgainAndAgain({ store, service, receiver: receiver() }, disk, rounds)
    conclude('a full disk: writes are refused by 503, reads go on, all recovers by itself', outcome)
  })

  test('is the same where a limit of the system forbids the file to grow', {
    timeout,
  }, async () => {
    const hasLimits = spawnSync('prlimit', ['--version']).status === 0
    if (!canTry(hasLimits, 'there is no prlimit to set a limit with')) return
    const store = folder()
    const service = await started(store.environment)
    const limit = (bytes: number | string) =>
      setLimit(service.child.pid, `--fsize=${bytes}:unlimited`)
    const wal = join(store.folder, 'service.sqlite-wal')
    const disk = {
      // Below what is there, since the log is truncated now and then.
      fill: () => limit(Math.min(65_536, statSync(wal).size)),
      free: () => limit('unlimited'),
    }
    const outcome = await fillAgainAndAgain({ store, service, receiver: receiver() }, disk, rounds)
    conclude('writes that the system refuses (EFBIG) are answered 503, and recover', outcome)
  })

  test('ends a first start in one line, and the next one has all it needs', {
    timeout,
  }, async () => {
    const disk = smallDisk()
    if (!disk) return
    const environment = { DATA_DIR: join(disk.folder, 'data') }
    const lines: string[] = []
    disk.fill()
    lines.push(await lineOf(environment))
    disk.free()
    // As much room as the tables need, and not the seed data.
    writeFileSync(join(disk.folder, 'most'), Buffer.alloc((megabytes - 2) << 20))
    lines.push(await lineOf(environment))
    for (const line of lines) expect(line).toMatch(/full|ENOSPC/)
    rmSync(join(disk.folder, 'most'))
    const service = await started(environment)
    expect((await service.post('/wallet/list', {})).status).toBe(200)
    report('a first start on a full disk ends in one line; with room it starts', {
      refused: lines.length,
    })
  })
})

describe('a disk that fails now and then', () => {
  test('to sync a commit has it answered as an error, and nothing is lost', {
    timeout,
  }, async () => {
    const failing = 'strace -f -o /dev/null --seccomp-bpf -e signal=none -e trace=fsync'
    const wrapper = `${failing} -e inject=fsync:error=EIO:when=40+4`.split(' ')
    const canInject = spawnSync(wrapper[0] as string, [...wrapper.slice(1), 'true']).status === 0
    if (!canTry(canInject, 'strace cannot let system calls fail here')) return
    const store = folder()
    const service = await started(store.environment, { wrapper })
    const ground = await prepareGround(service.post, receiver().url)
    const ledger = newLedger()
    const load = startTrialLoad(ground, ledger, [500])
    load.use(service.post)
    await load.answers(rounds * 50)
    const refused = load.counts().refused
    process.kill(childOf(service.child.pid as number), 'SIGKILL')
    load.use(undefined)
    await load.stop()
    await end(service.child, 'SIGCONT')
    const [lost, torn] = await store.look(async (all) => [
      await findLost(all, ledger, ground),
      await findHalfWrites(all, ground),
    ])
    const again = await started(store.environment)
    expect((await again.post('/wallet/list', {})).status).toBe(200)
    report('commits that the disk fails to sync are answered 500; nothing acknowledged is lost', {
      acknowledged: load.counts().answered,
      refused,
      lost: lost.length,
      half_writes: torn.length,
    })
    expect({ lost, torn, surprises: load.surprises }).toEqual({ lost: [], torn: [], surprises: [] })
    expect(refused).toBeGreaterThan(0)
  })
})

describe('a backup onto a disk without room', () => {
  test('ends in one line, leaves nothing, and harms no data', { timeout }, async () => {
    const disk = smallDisk()
    if (!disk) return
    const store = folder()
    const service = await started(store.environment)
    writeFileSync(join(disk.folder, 'most'), Buffer.alloc((megabytes - 4) << 20))
    const target = join(disk.folder, 'copy')
    const { code, errors, ms } = await runBackup(target, '--data', store.folder)
    expect({ code, errors }).toEqual({ code: 1, errors: expect.stringMatching(/disk is full\n$/) })
    expect(readdirSync(target)).toEqual([])
    rmSync(join(disk.folder, 'most'))
    const next = await runBackup(target, '--data', store.folder)
    expect(next.code).toBe(0)
    expect((await service.post('/wallet/list', {})).status).toBe(200)
    report('a backup onto a full disk ends in one line, and the next one is made', {
      refused_after_ms: ms,
      made_after_ms: next.ms,
    })
  })
})

describe('a disk that may only be read', () => {
  test('ends a start in one line, and cannot come about while it runs', { timeout }, async () => {
    const disk = smallDisk()
    if (!disk) return
    const environment = { DATA_DIR: join(disk.folder, 'data') }
    const first = await started(environment)
    await first.stop()
    disk.allowWrites(false)
    const begun = performance.now()
    expect(await lineOf(environment)).toMatch(/EROFS/)
    const refused_after_ms = Math.round(performance.now() - begun)
    disk.allowWrites(true)
    const service = await started(environment)
    expect((await service.post('/wallet/list', {})).status).toBe(200)
    // The system leaves no disk to reading alone that a service has open for writing.
    expect(() => disk.allowWrites(false)).toThrow('no remount')
    report(
      'a disk that is read-only at the start ends it in one line (it cannot become so later)',
      {
        refused_after_ms,
      },
    )
  })
})

describe('too many open files', () => {
  test('keep new callers waiting, and end nothing', { timeout }, async () => {
    const hasLimits = spawnSync('prlimit', ['--version']).status === 0
    if (!canTry(hasLimits, 'there is no prlimit to set a limit with')) return
    const service = await started(folder().environment)
    const { body } = await service.post('/wallet/create', { iso_currency_code: 'EUR' })
    const { pid } = service.child
    const most = readdirSync(`/proc/${pid}/fd`).length + 20
    setLimit(pid, `--nofile=${most}:${most}`)
    const { port } = new URL(service.url)
    const sockets: Socket[] = Array.from({ length: 120 }, () => connect(Number(port), '127.0.0.1'))
    for (const socket of sockets) socket.on('error', () => {})
    await new Promise((resolve) => setTimeout(resolve, 500))
    const files = readdirSync(`/proc/${pid}/fd`).length
    const unanswered = !(await isAnswered(Number(port)))
    for (const socket of sockets) socket.destroy()
    const wallet_id = body['wallet_id']
    const begun = performance.now()
    // As soon as it has noticed that the connections are gone; the test's own limit ends a hang.
    const answered = async (path: string, call: object) => {
      while ((await service.post(path, call).catch(() => undefined))?.status !== 200);
    }
    await answered('/wallet/get', { wallet_id })
    await answered('/wallet/create', { iso_currency_code: 'EUR' })
    report('a service whose files are used up by connections goes on once they end', {
      connections: sockets.length,
      files,
      files_allowed: most,
      recovery_ms: Math.round(performance.now() - begun),
    })
    expect(files).toBeGreaterThanOrEqual(most - 1)
    expect(unanswered).toBe(true)
  })
})

/** Sets a limit of a process; without it, a test would show nothing. */
function setLimit(pid: number | undefined, limit: string): void {
  const { status } = spawnSync('prlimit', [`--pid=${pid}`, limit])
  if (status !== 0) throw new Error(`prlimit ${limit} ended with ${status}`)
}

const patienceMs = 1000

/** Whether a new connection is answered, and neither ended nor left waiting. */
async function isAnswered(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write('GET /livez HTTP/1.1\r\nHost: service\r\n\r\n')
  // Ends without an answer, be it by an error, are none.
  const answered = Promise.race([
    once(socket, 'data').then(() => true),
    once(socket, 'close').then(() => false),
  ]).catch(() => false)
  const waited = new Promise<boolean>((resolve) => setTimeout(resolve, patienceMs, false))
  const found = await Promise.race([answered, waited])
  socket.destroy()
  return found
}
