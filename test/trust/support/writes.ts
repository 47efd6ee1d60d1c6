import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { wellKnownClients } from '../../../src/server/clients/well-known-clients.ts'

/** An answer to a call that writes, or none. */
export interface Written {
  status: number
  at: number
  tookMs: number
  id: string
  retryAfter: string | null
  message: string
}

/** Callers who create wallets, each as soon as the last call is answered. */
export interface Writes {
  answers: readonly Written[]
  /** Waits for the next that succeeds, and returns when it did so. */
  succeeded(): Promise<number>
  stop(): Promise<void>
}

const patienceMs = 60_000

const [{ clientId, secret }] = wellKnownClients
const headers = {
  'Content-Type': 'application/json',
  'SERVICE-CLIENT-ID': clientId,
  'SERVICE-SECRET': secret,
}

/** Starts so many callers of a service. */
export function startWrites(url: string, callers: number): Writes {
  const answers: Written[] = []
  let stopped = false
  async function call(): Promise<void> {
    while (!stopped) {
      const answer = await write(url)
      answers.push(answer)
      if (answer.status !== 200) await sleep(20)
    }
  }
  const calling = Array.from({ length: callers }, call)
  async function stop(): Promise<void> {
    stopped = true
    await Promise.all(calling)
  }
  onTestFinished(stop)
  return {
    answers,
    async succeeded() {
      const from = answers.length
      const until = performance.now() + patienceMs
      while (performance.now() < until) {
        const found = answers.slice(from).find(({ status }) => status === 200)
        if (found) return found.at
        await sleep(5)
      }
      throw new Error('nothing succeeds any more')
    },
    stop,
  }
}

/** One call; status 0 where there was no answer. */
export async function write(url: string): Promise<Written> {
  const begun = performance.now()
  const body = JSON.stringify({ iso_currency_code: 'EUR' })
  const response = await fetch(`${url}/wallet/create`, { method: 'POST', headers, body }).catch(
    () => undefined,
  )
  const answer = (await response?.json().catch(() => ({}))) as Record<string, unknown> | undefined
  return {
    status: response?.status ?? 0,
    at: performance.now(),
    tookMs: performance.now() - begun,
    id: String(answer?.['wallet_id'] ?? ''),
    retryAfter: response?.headers.get('Retry-After') ?? null,
    message: String(answer?.['error_message'] ?? ''),
  }
}

/** Every answer is a success, a 503 that says when to come back, or owns that it does not know. */
export function expectHonest(answers: readonly Written[]): void {
  const others = answers.filter(({ status }) => status !== 200)
  for (const { status, retryAfter, message } of others) {
    if (status === 503) expect(Number(retryAfter)).toBeGreaterThan(0)
    else expect({ status, message }).toEqual({ status: 500, message: unknownOutcome })
  }
}

const unknownOutcome =
  'the service failed as it kept a change; look whether it did before you repeat it'

/** What was answered is stored, and no more than what was asked for. */
export function expectKept(answers: readonly Written[], stored: ReadonlySet<string>): void {
  const made = acknowledged(answers)
  expect(made.filter((id) => !stored.has(id))).toEqual([])
  const inDoubt = answers.filter(({ status }) => status === 500).length
  expect(stored.size).toBeGreaterThanOrEqual(made.length)
  expect(stored.size).toBeLessThanOrEqual(made.length + inDoubt)
}

export const acknowledged = (answers: readonly Written[]): string[] =>
  answers.filter(({ status }) => status === 200).map(({ id }) => id)

/** How many answers there were of each kind, and how long the slowest took. */
export function count(answers: readonly Written[]) {
  const of = (wanted: number) => answers.filter(({ status }) => status === wanted).length
  return {
    acknowledged: of(200),
    refused_503: of(503),
    outcome_unknown: of(500),
    slowest_ms: Math.round(Math.max(0, ...answers.map(({ tookMs }) => tookMs))),
  }
}
