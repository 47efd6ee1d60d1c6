import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Database, TransactionOptions, Work } from '../../src/server/kernel/database.ts'
import { createKeys } from '../../src/server/kernel/keys.ts'
import { noRunner, type Service } from '../../src/server/kernel/service.ts'
import { dayMs } from '../../src/server/kernel/time.ts'
import { leaseMs, runPull } from '../../src/server/worker/pulls/run-pull.ts'
import { BankModel, bytesOf, randomOf } from './bank-model.ts'
import { connect, listServer, loopbackSettings } from './connected.ts'
import { openTestStore } from './engine.ts'
import { startService, type Tenant, type TestService } from './service.ts'
import { type Mishap, type Style, startSimplefin } from './simplefin-server.ts'

/** A process that was killed. */
class Killed extends Error {}

type Moment = 'before' | 'inside' | 'after'

/** A database whose process is killed around one of its transactions: later ones never happen. */
function dying(database: Database, step: number, moment: Moment): Database {
  let [count, isDead] = [0, false]
  const check = () => {
    if (isDead) throw new Killed()
  }
  return {
    ...database,
    read: (work, options) => {
      check()
      return database.read(work, options)
    },
    async transaction<Result>(work: Work<Result>, options?: TransactionOptions<Result>) {
      check()
      count += 1
      const isLast = count === step
      if (isLast) isDead = true
      if (isLast && moment === 'before') throw new Killed()
      const result = await database.transaction(async (db) => {
        const done = await work(db)
        if (isLast && moment === 'inside') throw new Killed()
        return done
      }, options)
      if (isLast) throw new Killed()
      return result
    },
  }
}

/** What happened in a simulated time. */
export interface YearFigures {
  calls: number
  kills: number
  failures: number
  /** Answers that came after another process had taken the read over. */
  late: number
  rows: number
  /** Rows of the bank that the service lacks, and rows of the service that the bank lacks. */
  lost: string[]
  doubled: string[]
  /** The most calls with one access address within 24 hours. */
  mostCalls: number
  /** Answers without accounts after which a client saw other data than before. */
  changedByFailure: number
  /** How often two processes called at once. */
  twins: number
  balances: { shown: Record<string, number>; told: Record<string, number> }
  /** A hash of when the calls were made and of what clients see in the end. */
  digest: string
}

interface Wanted {
  seed: number
  days: number
}

interface Surroundings extends Wanted {
  /** One for each process. */
  databases: readonly Database[]
  /** Sets the clock of the service. */
  setClock(ms: number): void
  start: number
}

const mishaps: readonly Mishap[] = [
  'cut',
  'redirect',
  'wrong JSON',
  'no accounts',
  'html',
  { status: 402 },
  { status: 429, retryAfter: '3600' },
  { status: 500 },
  { status: 503 },
]
const styles: readonly Style[] = [
  'times as text',
  'accounts in two parts',
  'byte order mark',
  'warnings',
]
const moments: readonly Moment[] = ['before', 'inside', 'after']

const firstDay = Date.parse('2026-01-01T12:00:00Z')

/**
 * Lets a bank and its server go through days, and reads them with two processes that die. Bank, ids
 * and waits come from the seed, so a run can be repeated.
 */
export async function liveThrough(wanted: Wanted): Promise<YearFigures> {
  const { databases, remove } = await openTestStore()
  const [first] = databases as [Database]
  const bytes = bytesOf(wanted.seed)
  let now = firstDay
  const service = await startService({
    ...{ database: first, bytes, keys: createKeys(bytes(32)), settings: loopbackSettings },
    clock: () => now,
    log: { info: () => {}, error: () => {} },
    checkAnswer: undefined,
  })
  try {
    return await live(service, await service.tenant(), {
      ...wanted,
      start: firstDay,
      databases: databases.length > 1 ? databases : [first, first],
      setClock: (ms) => {
        now = ms
      },
    })
  } finally {
    await service.close()
    for (const database of databases.slice(1)) await database.close()
    await remove()
  }
}

async function live(
  service: TestService,
  tenant: Tenant,
  { seed, days, databases, setClock, start }: Surroundings,
): Promise<YearFigures> {
  const random = randomOf(seed)
  let now = start
  const moveTo = (ms: number) => {
    now = Math.max(now, ms)
    setClock(now)
  }
  moveTo(start)
  const server = await startSimplefin(() => now)
  await listServer(service, server)
  const bank = new BankModel(random, start)
  server.accounts = bank.tell(now)
  const link = (itemId?: string, resumes = false) =>
    connect(service, tenant, server, {
      token: server.newToken(),
      resumes,
      daysRequested: 90,
      onWait: () => moveTo(now + 5000),
      ...(itemId === undefined ? {} : { itemId }),
    })
  const { item_id, access_token } = await link()
  const key = { client_id: tenant.clientId, item_id }
  const figures = { kills: 0, failures: 0, late: 0, changedByFailure: 0, twins: 0 }
  const aborted = new AbortController().signal

  const pull = async (own: Service) => {
    try {
      await runPull({ ...own, runner: noRunner }, key, aborted)
    } catch (error) {
      if (!(error instanceof Killed)) throw error
      figures.kills += 1
    }
  }
  const alive = databases.map((database) => ({ ...service.service, database }))
  const one = () => alive[random.below(alive.length)] as Service
  /** An answer that comes when its lease has ended, and another process has read newer data. */
  const pullLate = async () => {
    const before = server.calls.length
    server.mishaps = ['held']
    let isOver = false
    const slow = pull(one()).finally(() => {
      isOver = true
    })
    while (!isOver && server.calls.length === before) await setImmediate()
    server.mishaps = []
    moveTo(now + leaseMs)
    bank.liveUntil(now, false)
    server.accounts = bank.tell(now)
    if (!isOver) figures.late += 1
    await pull(one())
    server.release()
    await slow
  }
  const step = async (isQuiet: boolean) => {
    const row = await service.service.database.single.first<{
      due_at: number
      leased_until: number
    }>('select due_at, leased_until from item_pulls where item_id = $1', [item_id])
    if (!row) throw new Error('the pulls are gone')
    moveTo(Math.max(row.due_at, row.leased_until, now + 5000))
    bank.liveUntil(now, isQuiet)
    server.accounts = bank.tell(now)
    if (!isQuiet && random.chance(0.03)) return pullLate()
    if (!isQuiet && random.chance(0.12)) {
      server.mishaps.push(mishaps[random.below(mishaps.length)] as Mishap)
      figures.failures += 1
    }
    server.styles = new Set(isQuiet ? [] : styles.filter(() => random.chance(0.2)))
    server.isOld = !isQuiet && random.chance(0.1)
    const before = server.calls.length
    const isFailing = server.mishaps.length > 0
    const shownBefore = isFailing ? await listStored() : ''
    if (!isQuiet && random.chance(0.15)) {
      const moment = moments[random.below(moments.length)] as Moment
      const own = one()
      await pull({ ...own, database: dying(own.database, 1 + random.below(3), moment) })
    } else if (random.chance(0.3)) await Promise.all(alive.map(pull))
    else await pull(one())
    if (server.calls.length > before + 1) figures.twins += 1
    if (isFailing && server.calls.length === before + 1) {
      const shownAfter = await listStored()
      if (shownAfter !== shownBefore) figures.changedByFailure += 1
    }
  }

  /** What clients are shown, also of an Item with an error, at which calls fail. */
  const listStored = async () => {
    const { single } = service.service.database
    const of = [tenant.clientId]
    return JSON.stringify([
      await single.all('select name, current, available from accounts where client_id = $1', of),
      await single.all(
        'select pending, count(*) as rows from transactions where client_id = $1 group by pending',
        of,
      ),
    ])
  }
  const end = start + days * dayMs
  let repairAt = end
  while (now < end) {
    await step(false)
    if (random.chance(0.004)) server.revoke()
    // The user repairs the login, or tells the type of a new account, once a week at the latest.
    if (now < repairAt && repairAt !== end) continue
    repairAt = now + (1 + random.below(6)) * dayMs
    server.mishaps = []
    if (random.chance(0.3)) await link(item_id, random.chance(0.5))
  }
  server.mishaps = []
  // The user is asked for the types of accounts that are there again.
  bank.settle(now)
  server.accounts = bank.tell(now)
  await link(item_id)
  // Longer than any row is pending.
  const settled = now + 8 * dayMs
  for (let count = 0; count < 25 || now < settled; count += 1) await step(true)
  const shown = await listShown(tenant, access_token)
  const told = bank.expected(start - 89 * dayMs)
  await server.close()
  const times = server.calls.map(({ at }) => at)
  return {
    ...figures,
    digest: createHash('sha256')
      .update(JSON.stringify([times, shown]))
      .digest('hex')
      .slice(0, 16),
    calls: server.calls.length,
    rows: told.length,
    ...compare(told, shown.rows),
    mostCalls: mostWithinDay(server.calls),
    balances: { shown: shown.balances, told: bank.balances() },
  }
}

function compare(told: readonly string[], shown: readonly string[]) {
  const rest = [...shown]
  const lost: string[] = []
  for (const row of told) {
    const at = rest.indexOf(row)
    if (at < 0) lost.push(row)
    else rest.splice(at, 1)
  }
  return { lost, doubled: rest }
}

/** Everything that a client sees in the end. */
async function listShown({ api }: Tenant, access_token: string) {
  const { accounts } = await api.accountsGet({ access_token }).orThrow()
  const names = new Map(accounts.map(({ account_id, name }) => [account_id, name]))
  const rows: string[] = []
  let cursor = ''
  for (;;) {
    const page = await api
      .transactionsSync({ access_token, count: 500, ...(cursor === '' ? {} : { cursor }) })
      .orThrow()
    for (const { account_id, date, amount, name, pending } of page.added) {
      const cents = Math.round(-amount * 100)
      rows.push([names.get(account_id), date, cents, name, pending].join(' | '))
    }
    cursor = page.next_cursor
    if (!page.has_more) break
  }
  const balances = Object.fromEntries(
    accounts.map(({ name, balances: { current } }) => [name, Math.round((current ?? 0) * 100)]),
  )
  return { rows, balances }
}

function mostWithinDay(calls: readonly { at: number; authorization: string | undefined }[]) {
  const groups = Map.groupBy(calls, ({ authorization }) => authorization)
  const counts = [...groups.values()].flatMap((group) =>
    group.map(({ at }) => group.filter((one) => one.at > at - dayMs && one.at <= at).length),
  )
  return Math.max(0, ...counts)
}
