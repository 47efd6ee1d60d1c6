import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from '../../../scripts/contract/contract.ts'
import { createKeys } from '../../../src/server/kernel/keys.ts'
import { noRunner } from '../../../src/server/kernel/service.ts'
import { dayMs } from '../../../src/server/kernel/time.ts'
import { runPull } from '../../../src/server/worker/pulls/run-pull.ts'
import { endsWithUs } from '../../support/children.ts'
import { connect, listServer, loopbackSettings } from '../../support/connected.ts'
import { openPlace } from '../../support/engine.ts'
import { startService, type TestService } from '../../support/service.ts'
import { account, row } from '../../support/simplefin-ground.ts'
import {
  type BankRow,
  type SimplefinServer,
  startSimplefin,
} from '../../support/simplefin-server.ts'

const key = '18'.repeat(32)
const hourMs = 3_600_000

/** Where a process dies: around one of its transactions, or while the source answers. */
export interface Death {
  /** The claim, the first part of the rows, or the last one. */
  step: 1 | 2 | 3
  moment: 'before' | 'inside' | 'after' | 'call'
}

export const deaths: readonly Death[] = [
  ...([1, 2, 3] as const).flatMap((step) =>
    (['before', 'inside', 'after'] as const).map((moment) => ({ step, moment })),
  ),
  { step: 2, moment: 'call' },
]

/** What the deaths led to. */
export interface PullKills {
  kills: number
  calls: number
  rows: number
  lost: string[]
  doubled: string[]
  mostCalls: number
  /** Calls that began while another process was at the Item. */
  twins: number
}

/**
 * Reads an Item with a process that dies, and then with another one. Where processes can share the
 * store, the other one tries at the same time, too.
 */
export async function killPulls(address: string, isShared: boolean): Promise<PullKills> {
  let now = Date.parse('2026-03-16T12:00:00Z')
  const open = async () =>
    startService({
      database: await openPlace(address),
      keys: createKeys(Buffer.from(key, 'hex')),
      settings: loopbackSettings,
      clock: () => now,
      checkAnswer: undefined,
    })
  const server = await startSimplefin(() => now)
  server.accounts = [
    account({ rows: manyRows() }),
    account({ id: 'ACT-2', name: 'Savings (5678)', rows: [] }),
  ]
  let service = await open()
  await listServer(service, server)
  const { clientId, secret } = await service.tenant()
  const linked = await connect(service, service.tenantOf(clientId, secret), server, {
    token: server.newToken(),
  })
  const target = { client_id: clientId, item_id: linked.item_id }
  const follower = new Follower(linked.access_token)
  const figures = { kills: 0, twins: 0 }

  const pull = async (own: TestService) =>
    runPull({ ...own.service, runner: noRunner }, target, new AbortController().signal)
  const isDue = async () => {
    const found = await service.service.database.single.first<{ due_at: number }>(
      'select due_at from item_pulls where item_id = $1',
      [target.item_id],
    )
    now = Math.max(now + 6000, found?.due_at ?? 0)
  }
  const begin = ({ step, moment }: Death): ChildProcess =>
    endsWithUs(
      spawn(
        process.execPath,
        [
          ...[join(root, 'test/trust/support/pull-process.ts'), address, key, clientId],
          ...[target.item_id, String(now), String(step), moment],
        ],
        { stdio: ['ignore', 'ignore', 'inherit'] },
      ),
    )

  for (const [round, death] of deaths.entries()) {
    change(server, round)
    await isDue()
    if (!isShared) await service.close()
    const before = server.calls.length
    if (death.moment === 'call') server.mishaps = ['held']
    const child = begin(death)
    const ended = once(child, 'exit') as Promise<[number | null, string | null]>
    if (death.moment === 'call') await until(() => server.calls.length > before)
    // The claim of the first process keeps the second one away.
    if (isShared && death.moment === 'call') await pull(service)
    if (death.moment === 'call') child.kill('SIGKILL')
    const [, signal] = await ended
    if (signal === 'SIGKILL') figures.kills += 1
    server.release()
    if (isShared) await pull(service)
    if (server.calls.length > before + 1) figures.twins += 1
    if (!isShared) service = await open()
    // The lease ends, and another process begins again.
    now += 300_000
    await pull(service)
    await follower.follow(service, clientId, secret)
    now += 6 * hourMs
  }
  await isDue()
  await pull(service)
  await follower.follow(service, clientId, secret)
  await service.close()
  await server.close()
  const told = server.accounts.flatMap(({ name, rows }) => rows.map((one) => textOf(name, one)))
  return {
    ...figures,
    calls: server.calls.length,
    rows: told.length,
    ...compare(told, follower.list()),
    mostCalls: Math.max(
      ...server.calls.map(
        ({ at }) => server.calls.filter((one) => one.at > at - dayMs && one.at <= at).length,
      ),
    ),
  }
}

/** More rows than one transaction stores, so that a read has several. */
const manyRows = (): BankRow[] =>
  Array.from({ length: 2200 }, (_, index) =>
    row(`M${index}`, `2026-03-${String(1 + (index % 14)).padStart(2, '0')}`),
  )

/** The changes at the bank in each round. */
function change({ accounts }: SimplefinServer, round: number): void {
  const [many, few] = accounts
  if (!many || !few) return
  // The pending row of the round before posts, with a tip and under another id each second time.
  few.rows = few.rows.map((one) => {
    if (!one.pending) return one
    const { pending: _, ...rest } = one
    return { ...rest, ...(round % 2 === 0 ? { id: `${one.id}-P` } : { amount: '-15.00' }) }
  })
  few.rows.push(row(`P${round}`, '2026-03-15', { pending: true, description: `Shop ${round}` }))
  many.rows.push(row(`N${round}`, '2026-03-14'), row(`LATE${round}`, '2026-03-02'))
}

async function until(isTrue: () => boolean): Promise<void> {
  for (let count = 0; count < 600 && !isTrue(); count += 1) await sleep(50)
}

const textOf = (name: string, { id: _, posted, amount, description, pending }: BankRow) =>
  [
    name,
    new Date(posted * 1000).toISOString().slice(0, 10),
    Number(amount) * -1,
    description,
    pending === true,
  ].join(' | ')

/** A client that keeps a copy by cursor. */
class Follower {
  private readonly rows = new Map<string, string>()
  private cursor: string | undefined
  private readonly accessToken: string

  constructor(accessToken: string) {
    this.accessToken = accessToken
  }

  async follow(service: TestService, clientId: string, secret: string): Promise<void> {
    const { api } = service.tenantOf(clientId, secret)
    const access_token = this.accessToken
    const { accounts } = await api.accountsGet({ access_token }).orThrow()
    const names = new Map(accounts.map(({ account_id, name }) => [account_id, name]))
    for (;;) {
      const page = await api
        .transactionsSync({
          access_token,
          count: 500,
          ...(this.cursor === undefined ? {} : { cursor: this.cursor }),
        })
        .orThrow()
      for (const one of [...page.added, ...page.modified]) {
        const { transaction_id, account_id, date, amount, name, pending } = one
        const text = [names.get(account_id), date, amount, name, pending].join(' | ')
        this.rows.set(transaction_id, text)
      }
      for (const { transaction_id } of page.removed) this.rows.delete(transaction_id)
      this.cursor = page.next_cursor
      if (!page.has_more) return
    }
  }

  list(): string[] {
    return [...this.rows.values()]
  }
}

function compare(told: readonly string[], shown: readonly string[]) {
  const rest = new Map<string, number>()
  for (const one of shown) rest.set(one, (rest.get(one) ?? 0) + 1)
  const lost: string[] = []
  for (const one of told) {
    const count = rest.get(one) ?? 0
    if (count === 0) lost.push(one)
    else rest.set(one, count - 1)
  }
  return { lost, doubled: [...rest].flatMap(([one, count]) => Array<string>(count).fill(one)) }
}
