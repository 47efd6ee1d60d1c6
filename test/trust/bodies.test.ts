import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { handlerTable } from '../../src/server/boot/handlers.ts'
import { ApiError } from '../../src/server/kernel/errors.ts'
import { createPipeline } from '../../src/server/pipeline/pipeline.ts'
import { noRequestLog } from '../../src/server/pipeline/request-log.ts'
import { startWorld, type TestService } from '../support/service.ts'
import { type LargeBody, largeBodies } from './support/large-bodies.ts'
import { progress, report } from './support/report.ts'
import { atScale, seed } from './support/scale.ts'

// Bodies of nearly 1 MiB that are rejected, given to the pipeline itself: for most operations the
// edge rejects them by their length alone. A reader of JSON has to parse it; what else a call takes
// must stay small for every client.

const minute = 60_000
const count = atScale({ quick: 200, normal: 2000, long: 16_000 })
/**
 * What a call may take beyond parsing: so many ms, this share of the parsing, or as many times what it
 * takes to look at each character once, which depends on the machine; whichever is most.
 */
const bound = { ms: 5, share: 0.25, looks: 3 }
/** Another process may have had the processor: the shortest of some runs counts. */
const mostRuns = 30

let service: TestService
beforeAll(async () => {
  service = await startWorld({ checkAnswer: undefined })
})
afterAll(() => service.close())

const json = { 'content-type': 'application/json' }
const id = { ...json, 'service-client-id': 'sandbox-client' }
const senders: [name: string, headers: Record<string, string>][] = [
  ['without credentials', json],
  ['with a wrong secret', { ...id, 'service-secret': 'wrong' }],
  ['with the right secret', { ...id, 'service-secret': 'sandbox-secret' }],
]

const drawn = ({ name }: LargeBody): string =>
  createHash('sha256').update(`${seed} ${name}`).digest('hex')

/** The attack that cost most, and any of all others, each as likely as the next. */
function sample(): LargeBody[] {
  const all = largeBodies()
  const worst = all.filter(({ name }) =>
    /^(accountsGet|sandboxPublicTokenCreate): unknown keys at the top$/.test(name),
  )
  const keyed = all.map((one): [string, LargeBody] => [drawn(one), one])
  keyed.sort(([one], [other]) => (one < other ? -1 : 1))
  return [...worst, ...keyed.slice(0, count).map(([, one]) => one)]
}

const { parse } = JSON
let parsingMs = 0
beforeAll(() => {
  JSON.parse = (...given: Parameters<typeof parse>) => {
    const begun = performance.now()
    try {
      return parse(...given)
    } finally {
      parsingMs += performance.now() - begun
    }
  }
})
afterAll(() => {
  JSON.parse = parse
})

/** What looking at each character of a text once takes here, in ms: the least of some times. */
function lookAt(text: string): number {
  let least = Number.POSITIVE_INFINITY
  for (let times = 0; times < 3; times += 1) {
    const begun = performance.now()
    let commas = 0
    for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) === 0x2c) commas += 1
    if (commas <= text.length) least = Math.min(least, performance.now() - begun)
  }
  return least
}

interface Cost {
  ms: number
  isSmall: boolean
}

/** What some work takes beyond the parsing of JSON in it, in ms: the least of some runs. */
async function costOf(work: () => Promise<unknown>, lookMs = 0): Promise<Cost> {
  let least: Cost = { ms: Number.POSITIVE_INFINITY, isSmall: false }
  for (let run = 0; run < mostRuns && !least.isSmall; run += 1) {
    parsingMs = 0
    const begun = performance.now()
    await work()
    const ms = performance.now() - begun - parsingMs
    if (ms < least.ms)
      least = {
        ms,
        isSmall: ms < Math.max(bound.ms, bound.share * parsingMs, bound.looks * lookMs),
      }
  }
  return least
}

function caller({ operationId }: LargeBody, headers: Record<string, string>, body: Uint8Array) {
  const answer = createPipeline(service.service, handlerTable, noRequestLog)
  const context = { requestId: 'r', docsUrl: undefined }
  return async (): Promise<boolean> => {
    try {
      await answer({ operationId, headers, body }, context)
      return true
    } catch (error) {
      if (error instanceof ApiError) return false
      throw error
    }
  }
}

/** A body as somebody sends it. */
interface Attempt {
  body: LargeBody
  sender: (typeof senders)[number]
}

test(
  'a large body costs a rejected call little beyond its parsing',
  async () => {
    const slow: Attempt[] = []
    const figures = { bodies: 0, calls: 0, accepted: 0, worst_ms: 0 }
    const judge = async ({ body, sender }: Attempt): Promise<boolean> => {
      const text = body.make()
      const call = caller(body, sender[1], Buffer.from(text))
      const { ms, isSmall } = await costOf(call, lookAt(text))
      if (isSmall) figures.worst_ms = Math.max(figures.worst_ms, Math.round(ms * 10) / 10)
      return isSmall
    }
    for (const body of sample()) {
      progress(`${figures.bodies} of ${count} bodies`)
      figures.bodies += 1
      for (const sender of senders) {
        const isAccepted = await caller(body, sender[1], Buffer.from(body.make()))()
        figures[isAccepted ? 'accepted' : 'calls'] += 1
        if (!isAccepted && !(await judge({ body, sender }))) slow.push({ body, sender })
      }
    }
    // Neighbours on the machine may have been at fault; whatever is slow by itself is so again.
    const still: string[] = []
    for (const attempt of slow) {
      const isSlow = !(await judge(attempt)) && !(await judge(attempt))
      if (isSlow) still.push(`${attempt.body.name}, ${attempt.sender[0]}`)
    }
    report('a large body costs a rejected call little beyond its parsing', figures)
    expect(still).toEqual([])
    expect(figures.calls).toBeGreaterThan(count)
  },
  atScale({ quick: 8, normal: 30, long: 300 }) * minute,
)

test('a form of 100,000 parameters costs less than 5 ms', async () => {
  const text = Array.from({ length: 100_000 }, (_, index) => `k${index}=0`).join('&')
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const form = { operationId: 'oauthToken', name: 'a form', make: () => text } as const
  const call = caller(form, headers, Buffer.from(text))
  expect(await call()).toBe(false)
  const { ms } = await costOf(call)
  report('a form of 100,000 parameters costs little', { ms: Math.round(ms * 10) / 10 })
  expect(ms).toBeLessThan(bound.ms)
})
