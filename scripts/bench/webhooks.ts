import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from '../contract/contract.ts'
import { askAt } from './cases.ts'
import { cpuBetween, readCpu } from './cpu.ts'
import { findMost, paceAt } from './latency.ts'
import { compare, type Level } from './levels.ts'
import { type LoadGenerator, type Sending, startLoadGenerator } from './load.ts'
import { startProgram } from './processes.ts'
import { connections, type Pair } from './rounds.ts'
import { median } from './statistics.ts'
import { countVerified, linkItems, settle, waitFor } from './webhook-items.ts'

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
  /** The part of a core that the receiver used meanwhile. */
  receiverThen: number | null
}

export interface WebhookPace {
  seconds: number
  rounds: number
}

const share = 0.3
const writesPerSecond = 100

/** `reads` and `writes` are of one service: a read that is watched, and a write without a webhook. */
export async function measureWebhooks(
  reads: Pair,
  writes: Pair,
  generator: LoadGenerator,
  pace: WebhookPace,
  tell: (line: string) => void,
): Promise<Webhooks> {
  const url = reads.server.programs[0]?.url ?? ''
  const receiver = await startProgram([join(root, 'scripts/bench/receiver.ts'), url])
  const second = startLoadGenerator()
  try {
    tell('webhooks: Items')
    const fires = await linkItems(askAt(url), receiver.url)
    const earlier = await settle(() => countVerified(receiver.url))
    const count = async () => (await countVerified(receiver.url)) - earlier
    tell('webhooks: as many as possible')
    const burst = await watch(receiver.pid, async () => {
      const { answered } = await generator.run({
        urls: [url],
        connections,
        seconds: pace.seconds,
        requests: fires,
      })
      return waitFor(count, answered)
    })
    const most = share * (await findMost(reads, generator, pace.seconds))
    const [without, together]: [number[], number[]] = [[], []]
    const beside = async (requests: readonly Sending[]) => {
      const other = second.pace({ url, rate: writesPerSecond, seconds: pace.seconds, requests })
      const { p99 } = await paceAt(reads, generator, most, pace.seconds)
      if ((await other).failed > 0) throw new Error('a write beside the reads has failed')
      return p99
    }
    const shares: number[] = []
    for (let round = 1; round <= pace.rounds; round += 1) {
      tell(`webhooks: beside requests, round ${round} of ${pace.rounds}`)
      const turns = [
        async () => without.push(await beside(await writes.requests())),
        async () => {
          const { result, share: part } = await watch(receiver.pid, () => beside(fires))
          together.push(result)
          if (part !== null) shares.push(part)
        },
      ]
      // Who goes first changes: the second one of two has more rows behind it.
      for (const take of round % 2 ? turns : turns.toReversed()) {
        await take()
        await sleep(500)
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
      receiverThen: shares.length > 0 ? median(shares) : null,
    }
  } finally {
    await second.stop()
    await receiver.stop()
  }
}

/** Runs something, and tells how long it took and what part of a core a process used meanwhile. */
async function watch<Result>(pid: number, run: () => Promise<Result>) {
  const [before, begun] = [readCpu([pid]), performance.now()]
  const result = await run()
  const seconds = (performance.now() - begun) / 1000
  const cpu = cpuBetween(before, readCpu([pid]))
  return {
    result,
    seconds,
    share: cpu === undefined ? null : cpu / seconds,
  }
}

const [leastRate, mostSlower] = [500, 1.2]

export const webhookLevels = (figures: Webhooks): Level[] => [
  ...compare('verified deliveries a second on SQLite', figures.rate, 1, { first: leastRate }),
  ...compare(
    `p99 of reads on SQLite beside ${figures.writes} writes a second, each delivered as a webhook, × not delivered`,
    figures.with,
    figures.without,
    {
      first: mostSlower,
      atMost: true,
    },
  ),
]
