import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { paths } from '../../generated/sandbox/operations.ts'
import { wellKnownClients } from '../../src/server/clients/well-known-clients.ts'
import { createOpened } from '../../src/testing/opened.ts'
import { createTenant } from '../../src/testing/tenant.ts'
import { root } from '../contract/contract.ts'
import { requestsOf } from './cases.ts'
import { cpuBetween, readCpu } from './cpu.ts'
import { compare, compareSpread, type Level } from './levels.ts'
import { type LoadGenerator, requireSuccess, startLoadGenerator } from './load.ts'
import { startProgram } from './processes.ts'
import { load, rateOf, type Target } from './rounds.ts'
import type { Sending } from './send.ts'
import { median, type Spread, spreadOf } from './statistics.ts'

export interface Webhooks {
  /** Deliveries a second whose signature was verified, while they were fired as fast as possible. */
  rate: number
  delivered: number
  /** The part of a core that the receiver used meanwhile. */
  receiver: number | null
  /** Reads a second at 30 %, and their p99 in ms beside so many writes a second. */
  reads: number
  writes: number
  without: number
  /** The same where each write fires a webhook, which is delivered. */
  with: number
  /** The two by rounds, the second over the first. */
  slower?: Spread
  /** The part of a core that the receiver used meanwhile. */
  receiverThen: number | null
}

const share = 0.3
const writesPerSecond = 100
/** Deliveries of one Item wait for each other, so there are several. */
const items = 50
const patienceMs = 120_000

/** `reads` and `writes` are of one service: a read that is timed, and a write without a webhook. */
export async function measureWebhooks(
  [reads, writes]: readonly [Target, Target],
  generator: LoadGenerator,
  pace: { seconds: number; rounds: number },
  tell: (line: string) => void,
): Promise<Webhooks> {
  const { seconds, rounds } = pace
  const url = reads.server.programs[0]?.url ?? ''
  const receiver = await startProgram([join(root, 'scripts/bench/servers/receiver.ts'), url])
  const second = startLoadGenerator()
  const count = async (): Promise<number> => {
    const counts = (await (await fetch(receiver.url)).json()) as Record<string, number>
    if (counts['rejected']) throw new Error(`the receiver rejected ${counts['rejected']} webhooks`)
    return counts['verified'] ?? 0
  }
  try {
    tell('webhooks: Items')
    const fires = await linkItems(url, receiver.url)
    const earlier = await settle(count)
    tell('webhooks: as many as possible')
    const burst = await watch(receiver.pid, async () => {
      const load = { urls: [url], connections: 50, seconds, requests: fires }
      const { statuses } = await generator.send(load)
      return (await reach(count, earlier + (statuses[200] ?? 0))) - earlier
    })
    const most = share * rateOf(await load(reads, generator, seconds))
    const beside = async (requests: readonly Sending[]) => {
      const other = { urls: [url], rate: writesPerSecond, seconds, requests, connections: 100 }
      const writing = second.send(other)
      const { p99 } = await load(reads, generator, seconds, most)
      const written = await writing
      requireSuccess('a write beside the reads', written)
      return { p99, written: written.sent }
    }
    /** The same, and what it fired is delivered before anything else is measured. */
    const besideFires = async (): Promise<number> => {
      const before = await count()
      const { p99, written } = await beside(fires)
      await reach(count, before + written)
      return p99
    }
    const [without, together, shares]: [number[], number[], number[]] = [[], [], []]
    for (let round = 1; round <= rounds; round += 1) {
      tell(`webhooks: beside requests, round ${round} of ${rounds}`)
      const turns = [
        async () => without.push((await beside(await writes.requests())).p99),
        async () => {
          const { result, share: part } = await watch(receiver.pid, besideFires)
          together.push(result)
          if (part !== null) shares.push(part)
        },
      ]
      // The order changes: the second one of two has more rows to read past.
      for (const turn of round % 2 ? turns : turns.toReversed()) {
        await turn()
        await sleep(200)
      }
    }
    return {
      rate: burst.result / burst.seconds,
      delivered: burst.result,
      receiver: burst.share,
      reads: most,
      writes: writesPerSecond,
      without: median(without),
      with: median(together),
      slower: spreadOf(together.map((p99, round) => p99 / (without[round] ?? NaN))),
      receiverThen: shares.length > 0 ? median(shares) : null,
    }
  } finally {
    await second.stop()
    await receiver.stop()
  }
}

/** Links Items whose webhooks go to the receiver; returns requests that fire one of each. */
async function linkItems(baseUrl: string, receiver: string): Promise<Sending[]> {
  const [{ clientId, secret }] = wellKnownClients
  const service = { baseUrl, clientId, secret, version: undefined }
  const { linkItem } = createTenant(service, createOpened())
  const account = { type: 'depository', subtype: 'checking', starting_balance: 500 } as const
  const requests: Sending[] = []
  for (let made = 0; made < items; made += 1) {
    const { access_token } = await linkItem({
      initial_products: ['auth'],
      webhook: `${receiver}/webhooks`,
      accounts: [{ ...account, transactions: [] }],
      settled: false,
    })
    const body = { access_token, webhook_code: 'NEW_ACCOUNTS_AVAILABLE' }
    requests.push(...requestsOf(paths.sandboxItemFireWebhook, [body]).slice(-1))
  }
  return requests
}

/** Waits until a count reaches a number, or exceeds it. */
async function reach(count: () => Promise<number>, wanted: number): Promise<number> {
  const end = performance.now() + patienceMs
  let found = await count()
  while (found < wanted) {
    if (performance.now() > end) throw new Error(`${found} of ${wanted} webhooks were received`)
    await sleep(20)
    found = await count()
  }
  return found
}

/** The count once it no longer changes: linking an Item sends webhooks, too. */
async function settle(count: () => Promise<number>): Promise<number> {
  let found = await count()
  for (let before = -1; before !== found; ) {
    before = found
    await sleep(1000)
    found = await count()
  }
  return found
}

/** Runs something; returns how long it took, and what part of a core a process used meanwhile. */
async function watch<Result>(pid: number, run: () => Promise<Result>) {
  const [before, begun] = [readCpu([pid]), performance.now()]
  const result = await run()
  const seconds = (performance.now() - begun) / 1000
  const cpu = cpuBetween(before, readCpu([pid]))
  return { result, seconds, share: cpu === undefined ? null : cpu / seconds }
}

const [leastRate, mostSlower] = [500, { first: 1.5, second: 1.2 }]

export const webhookLevels = (figures: Webhooks): Level[] => [
  ...compare('verified deliveries a second on SQLite', figures.rate, 1, { first: leastRate }),
  ...compareSpread(
    `p99 of reads on SQLite beside ${figures.writes} writes a second, each delivered as a webhook, × not delivered`,
    figures.slower,
    { ...mostSlower, atMost: true },
  ),
]
