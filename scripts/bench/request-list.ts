import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createService } from '../../src/server/boot/create-service.ts'
import { handlerTable } from '../../src/server/boot/handlers.ts'
import { openSqlite } from '../../src/server/db/sqlite.ts'
import { prepareSeedData } from '../../src/server/fixtures/prepare-seed-data.ts'
import { createApp } from '../../src/server/http/app.ts'
import { usualKeptCalls } from '../../src/server/kernel/kept-calls.ts'
import { createKeys } from '../../src/server/kernel/keys.ts'
import { createPipeline } from '../../src/server/pipeline/pipeline.ts'
import { createRequestLog, noRequestLog } from '../../src/server/pipeline/request-log.ts'
import { askAt, cases, requestsOf } from './cases.ts'
import type { Level } from './levels.ts'
import { type LoadGenerator, requireSuccess } from './load.ts'
import { median, percentile } from './statistics.ts'

// What the list of calls costs a call. One process serves with the list and without it in turn, so
// both have the same memory, database and heat of the machine.

export interface RequestList {
  rounds: number
  /** CPU of a call without the list, in µs, of all threads. */
  without: number
  rows: Paired[]
}

/** The differences of neighboring measurements, in µs of CPU for each call. */
interface Paired {
  name: string
  median: number
  /** The quartiles. */
  from: number
  to: number
}

type Variant = 'without' | 'without bodies' | 'with bodies'
const variants: readonly Variant[] = ['without', 'without bodies', 'with bodies']
/** For what the list writes after the last call. */
const settleMs = 1500

/** Measures `walletGet` in alternating rounds. */
export async function measureRequestList(
  generator: LoadGenerator,
  { rounds, seconds }: { rounds: number; seconds: number },
  tell: (line: string) => void,
): Promise<RequestList> {
  const served = await serve()
  try {
    const found = new Map<Variant, number[]>(variants.map((variant) => [variant, []]))
    for (let round = -1; round < rounds; round += 1) {
      tell(`list of calls: round ${round + 1} of ${rounds}`)
      // The order turns, so that no variant always comes after the same one.
      for (const variant of turned(round + 1)) {
        served.use(variant)
        const cost = await measure(served.url, generator, seconds)
        // The first one warms up.
        if (round >= 0) found.get(variant)?.push(cost)
      }
    }
    return toFigures(rounds, found)
  } finally {
    await served.close()
  }
}

const turned = (by: number): Variant[] =>
  variants.map((_, index) => variants[(index + by) % variants.length] as Variant)

/** CPU of this process for a call, in µs. */
async function measure(url: string, generator: LoadGenerator, seconds: number): Promise<number> {
  const one = cases.find(({ id }) => id === 'walletGet')
  if (!one) throw new Error('walletGet is no case')
  const requests = requestsOf(one.path, await one.bodies(askAt(url)))
  const before = process.cpuUsage()
  const sent = await generator.send({ urls: [url], requests, seconds, connections: 50 })
  await sleep(settleMs)
  const { user, system } = process.cpuUsage(before)
  requireSuccess('walletGet', sent)
  return (user + system) / sent.sent
}

function toFigures(rounds: number, found: ReadonlyMap<Variant, number[]>): RequestList {
  const without = found.get('without') ?? []
  const rows = variants.slice(1).map((name): Paired => {
    const differences = (found.get(name) ?? []).map((cost, round) => cost - (without[round] ?? 0))
    return {
      name,
      median: median(differences),
      from: percentile(differences, 0.25),
      to: percentile(differences, 0.75),
    }
  })
  return { rounds, without: median(without), rows }
}

export const requestListLevels = ({ without, rows }: RequestList): Level[] =>
  rows.map(({ name, median: cost }) => ({
    what: `list of calls ${name}, part of the CPU of walletGet`,
    value: cost / without,
    first: 0.05,
    atMost: true,
  }))

/** A service in this process whose list of calls can be changed while it runs. */
async function serve() {
  const folder = mkdtempSync(join(tmpdir(), 'request-list-'))
  const database = await openSqlite(join(folder, 'service.sqlite'))
  const keys = createKeys(randomBytes(32))
  let url = ''
  const settings = { environment: 'sandbox', reportDelayMs: 0 } as const
  const { service, close } = await createService({
    database,
    keys,
    settings,
    publicUrl: () => url,
    rateLimits: 'off',
    log: { info: () => {}, error: console.error },
    docs: false,
  })
  await prepareSeedData(service, {
    environment: 'sandbox',
    fixture: undefined,
    seed: undefined,
    fixtureDate: undefined,
  })
  const place = {
    database: service.database,
    keys,
    clock: Date.now,
    mostKept: usualKeptCalls.count,
  }
  const logs = {
    without: noRequestLog,
    'without bodies': createRequestLog({ ...place, storesBodies: false }),
    'with bodies': createRequestLog({ ...place, storesBodies: true }),
  }
  const pipelines = {
    without: createPipeline(service, handlerTable, logs.without),
    'without bodies': createPipeline(service, handlerTable, logs['without bodies']),
    'with bodies': createPipeline(service, handlerTable, logs['with bodies']),
  }
  let pipeline = pipelines.without
  const app = await createApp({
    answer: (request, context) => pipeline(request, context),
    newRequestId: () => randomBytes(12).toString('hex').slice(0, 15),
    onFault: console.error,
    publicUrl: () => url,
    docs: false,
  })
  url = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    url,
    use(variant: Variant) {
      pipeline = pipelines[variant]
    },
    async close() {
      await app.close()
      await close()
      rmSync(folder, { recursive: true })
    },
  }
}
