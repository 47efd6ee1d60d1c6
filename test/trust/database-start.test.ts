import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  canStartServers,
  createInstance,
  type Instance,
  whyNoServers,
} from '../support/postgres-instance.ts'
import { end, launch, toServiceProcess } from '../support/service-process.ts'
import { createDatabase, ownKey } from './support/database-service.ts'
import { canTry, report } from './support/report.ts'
import { atScale } from './support/scale.ts'

// A service that starts while its database is away, as after a power cut of both.

const possible = canTry(canStartServers, whyNoServers)
const longestMs = 60_000

let server: Instance
beforeAll(async () => {
  if (possible) server = await createInstance()
})
afterAll(() => server?.remove())

interface Starting {
  child: ChildProcess
  /** Everything that it wrote so far. */
  printed(): string
  /** Waits until it has written this, and returns what was found. */
  prints(wanted: RegExp): Promise<string>
}

/** Begins to start a service on an address. */
function begin(url: string): Starting {
  const { child, errors } = launch({ environment: { DATABASE_URL: url, ENCRYPTION_KEY: ownKey } })
  onTestFinished(async () => void (await end(child, 'SIGKILL')))
  let text = ''
  child.stdout?.on('data', (chunk) => (text += chunk))
  const printed = () => text + errors()
  return {
    child,
    printed,
    async prints(wanted) {
      const until = performance.now() + longestMs
      while (performance.now() < until) {
        const found = wanted.exec(printed())?.[0]
        if (found !== undefined) return found
        if (child.exitCode !== null) throw new Error(`it has ended: ${printed()}`)
        await sleep(20)
      }
      throw new Error(`it does not say ${wanted}: ${printed()}`)
    },
  }
}

describe.runIf(possible)('a start while the database is away', { timeout: 300_000 }, () => {
  test('waits for it and says so, then serves: many processes as well', async () => {
    const database = await createDatabase(server)
    const processes = atScale({ quick: 3, normal: 8, long: 16 })
    const away_ms = atScale({ quick: 1500, normal: 20_000, long: 50_000 })
    await server.stop('fast')
    const all = Array.from({ length: processes }, () => begin(server.url(database)))
    await Promise.all(all.map(({ prints }) => prints(/the database is away, and waited for/)))
    await sleep(away_ms)
    expect(all.map(({ child }) => child.exitCode)).toEqual(all.map(() => null))
    await server.start()
    const back = performance.now()
    const urls = await Promise.all(all.map(({ prints }) => prints(/http:\/\/[\d.]+:\d+/)))
    const serving_after_ms = Math.round(performance.now() - back)
    for (const [index, { child }] of all.entries()) {
      const { post, stop } = toServiceProcess(child, urls[index] as string)
      expect((await post('/wallet/create', { iso_currency_code: 'EUR' })).status).toBe(200)
      expect(await stop()).toBe(0)
    }
    const figures = { processes, away_ms, serving_after_ms }
    report('processes that start while the database is away wait for it, and then serve', figures)
  })

  test('ends at once on a signal', async () => {
    await server.stop('fast')
    const { child, prints } = begin(server.url('postgres'))
    await prints(/waited for/)
    await end(child, 'SIGTERM')
    expect(child.signalCode).toBe('SIGTERM')
    await server.start()
  })

  test.each([
    ['an unknown database', () => server.url('nowhere'), /database "nowhere" does not exist/],
    [
      'a user who may not log in',
      () => server.url('postgres').replace('postgres@', 'nobody@'),
      /role "nobody" does not exist/,
    ],
    [
      'a setting that is unknown',
      () => `${server.url('postgres')}?no_such_setting=1`,
      /no_such_setting/,
    ],
  ])('does not wait where that helps nothing: %s', async (_what, url, words) => {
    const { child, printed } = begin(url())
    const code = await new Promise((resolve) => child.once('close', resolve))
    expect(code).toBe(1)
    expect(printed()).toMatch(words)
    expect(printed().trim().split('\n')).toHaveLength(1)
  })
})
