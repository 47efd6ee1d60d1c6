import { request } from 'node:http'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import { isServerThere } from '../support/postgres-server.ts'
import { startProcess } from '../support/service-process.ts'
import type { Outcome } from './support/fuzz/campaign.ts'
import { canary } from './support/fuzz/hostile.ts'
import { rawCases, sendRaw, statusesIn } from './support/fuzz/raw.ts'
import { compare, createReach } from './support/fuzz/reach.ts'
import { readSubjects } from './support/fuzz/subjects.ts'
import { runTasks } from './support/fuzz/workers.ts'
import { canTry, progress, report } from './support/report.ts'
import { atScale, seed } from './support/scale.ts'

// Requests of every kind, from the contract, against everything that answers. What it finds becomes
// a test of its own beside those of the operation that was at fault.

const minute = 60_000
const reach = createReach()

interface Extent {
  /** Ms of computing. */
  time: number
  /** It goes on until there are as many requests, unless that takes too long. */
  least: number
  environment: Record<string, string>
  directed: boolean
}

const longestCampaign = 5 * minute
const longestWorker = 70 * minute

/** Runs campaigns one after the other; each ends with its first finding. */
async function runWorker(worker: number, { time, least, environment, directed }: Extent) {
  const outcomes: Outcome[] = []
  const begun = performance.now()
  const each = Math.min(time, longestCampaign)
  const isEnough = () => outcomes.length * each >= time && total(outcomes) >= least
  while (!isEnough() && performance.now() - begun < longestWorker) {
    const part = outcomes.length
    const task = {
      root,
      seed: seed * 1_000_003 + worker * 500_009 + part,
      requests: Number.MAX_SAFE_INTEGER,
      time: each,
      length: 300,
      shrink: 20_000,
      directed: directed && worker === 0 && part === 0,
    }
    const onProgress = (requests: number) =>
      progress(`worker ${worker}: ${total(outcomes) + requests}`)
    outcomes.push(...(await runTasks([task], environment, onProgress)))
  }
  return outcomes
}

/** Runs campaigns in two processes; each of them makes half of the requests. */
async function runWorkers(extent: Extent): Promise<Outcome[]> {
  const half = { ...extent, least: extent.least / 2 }
  return (await Promise.all([runWorker(0, half), runWorker(1, half)])).flat()
}

const total = (outcomes: readonly Outcome[]) =>
  outcomes.reduce((sum, outcome) => sum + outcome.reach.requests, 0)

const findingsOf = (outcomes: readonly Outcome[]) =>
  outcomes.flatMap(({ finding }) => (finding === undefined ? [] : [finding]))

const time = atScale({ quick: 12_000, normal: 3 * minute, long: 12 * minute })
const least = atScale({ quick: 1000, normal: 20_000, long: 1_000_000 })

test('no request makes the service fail, hang, break its word or tell a secret', {
  timeout: longestWorker + 4 * longestCampaign + 5 * minute,
}, async () => {
  const begun = performance.now()
  const outcomes = await runWorkers({
    time,
    least,
    environment: { TEST_ENGINE: 'sqlite' },
    directed: true,
  })
  for (const outcome of outcomes) reach.add(outcome.reach)
  const requests = total(outcomes)
  const seconds = (performance.now() - begun) / 1000
  report('no request makes the service fail, hang, break its word or tell a secret', {
    requests,
    requests_per_s: Math.round(requests / seconds),
    processes: 2,
    findings: findingsOf(outcomes).length,
  })
  expect(findingsOf(outcomes)).toEqual([])
  expect(requests).toBeGreaterThanOrEqual(least)
})

test('every operation is brought to give each of its errors, and its success', async () => {
  const found = compare(await readSubjects(), reach.data())
  report('every pair of operation and outcome that the contract lists is had', {
    pairs: found.pairs,
    by_requests_alone: found.plain,
    by_an_injected_fault: found.injectedOnly,
    missed: found.missed.length,
    statuses_by_version_missed: found.missedStatuses.length,
  })
  expect({ pairs: found.missed, statuses: found.missedStatuses }).toEqual({
    pairs: [],
    statuses: [],
  })
})

const shorter = atScale({ quick: 5000, normal: minute, long: 4 * minute })

test('nor does it on PostgreSQL', {
  timeout: 4 * shorter + 3 * minute + longestWorker,
}, async () => {
  if (!canTry(await isServerThere(), 'the fuzzer on PostgreSQL: no server answers')) return
  const outcomes = await runWorkers({
    time: shorter,
    least: 1,
    environment: { TEST_ENGINE: 'postgres' },
    directed: false,
  })
  report('the same on PostgreSQL', {
    requests: total(outcomes),
    findings: findingsOf(outcomes).length,
  })
  expect(findingsOf(outcomes)).toEqual([])
})

/** A well-formed request on a connection of its own. */
const isAlive = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const asked = request(
      { port, host: '127.0.0.1', path: '/docs/openapi/sandbox.json' },
      (answer) => {
        answer.resume()
        resolve(answer.statusCode === 200)
      },
    )
    asked.on('error', () => resolve(false))
    asked.end()
  })

/** A good request with one of its lines or bytes changed. */
const nearlyHttp = fc
  .record({
    from: fc.constantFrom(...rawCases.filter(({ parts }) => parts.length === 1)),
    at: fc.nat(400),
    change: fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 8 }),
      fc
        .constantFrom('\r\n', '\n', '\r', ' ', ':', '\0', '\r\n\r\n')
        .map((text) => Buffer.from(text)),
    ),
    removed: fc.nat(12),
  })
  .map(({ from, at, change, removed }) => {
    const bytes = Buffer.concat(from.parts.map((part) => Buffer.from(part)))
    const place = bytes.length === 0 ? 0 : at % bytes.length
    return Buffer.concat([bytes.subarray(0, place), change, bytes.subarray(place + removed)])
  })

const mutations = atScale({ quick: 150, normal: 3000, long: 20_000 })
const patience = 300

test('bytes that are no HTTP, or hardly, are rejected or answered, and affect no other client', {
  timeout: 2 * minute + mutations * 200,
}, async () => {
  const { url, kill } = await startProcess({ MEMORY: '1', LOG_LEVEL: 'silent' })
  onTestFinished(() => kill())
  const port = Number(new URL(url).port)
  const findings: string[] = []
  let quiet = 0
  const judge = async (name: string, parts: readonly (string | Uint8Array)[], most: number) => {
    const { text, closed } = await sendRaw(port, parts, patience)
    const statuses = statusesIn(text)
    if (!closed) quiet += 1
    if (statuses.some((status) => status >= 500 && status !== 505))
      findings.push(`${name}: ${statuses}`)
    if (statuses.length > most) findings.push(`${name}: ${statuses.length} answers`)
    if (text.includes(canary) || text.includes('sandbox-secret')) findings.push(`${name}: repeated`)
    if (!(await isAlive(port))) throw new Error(`${name}: the service is gone`)
  }
  for (const { name, parts, answers } of rawCases) await judge(name, parts, answers)
  const drawn = fc.sample(nearlyHttp, { seed, numRuns: mutations })
  for (let done = 0; done < drawn.length; done += 20) {
    const several = drawn.slice(done, done + 20)
    await Promise.all(
      several.map((bytes) => judge(bytes.toString('latin1').slice(0, 300), [bytes], 5)),
    )
    progress(`${done} connections`)
  }
  report('bytes that are no HTTP, or hardly, are refused or answered, and harm nobody', {
    connections: rawCases.length + mutations,
    left_waiting_for_more: quiet,
    findings: findings.length,
  })
  expect(findings).toEqual([])
})
