import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  canStartServers,
  createInstance,
  type Instance,
  whyNoServers,
} from '../support/postgres-instance.ts'
import {
  createTenants,
  type heavyWrites,
  sendAll,
  startProcesses,
  summarize,
} from './support/many-clients.ts'
import { canTry, report } from './support/report.ts'
import { atScale } from './support/scale.ts'

// Writes that take long, of several clients at once: none of them fails because of the others.

const possible = canTry(canStartServers, whyNoServers)
const clients = 3
const callers = 12

let server: Instance
beforeAll(async () => {
  if (possible) server = await createInstance()
})
afterAll(() => server?.remove())

/** Lets all callers send so many calls; what became of them. */
async function run(processes: number, calls: number, names: readonly (keyof typeof heavyWrites)[]) {
  const services = await startProcesses(server, processes)
  const tenants = await createTenants(services, clients)
  const before = await services.countRollbacks()
  const answers = await sendAll(services, tenants, { calls, callers, names })
  const rolled_back = (await services.countRollbacks()) - before
  await services.end()
  return { answers, figures: { processes, clients, callers, ...summarize(answers), rolled_back } }
}

describe.runIf(possible)('writes of several clients at once', { timeout: 900_000 }, () => {
  test.each([
    { processes: 1, calls: atScale({ quick: 240, normal: 960, long: 4800 }) },
    { processes: 2, calls: atScale({ quick: 24, normal: 480, long: 2400 }) },
  ])('all succeed, in $processes processes', async ({ processes, calls }) => {
    const { figures } = await run(processes, calls, ['publicTokenCreate'])
    report(`Items that several clients create at once are all created (processes: ${processes})`, {
      ...figures,
    })
    expect(figures).toMatchObject({ calls, succeeded: calls, rolled_back: 0 })
  })

  test('of every kind are never answered as if the service failed', async () => {
    const calls = atScale({ quick: 80, normal: 800, long: 8000 })
    const { answers, figures } = await run(2, calls, [
      'publicTokenCreate',
      'walletCreate',
      'assetReportCreate',
      'transactionsRefresh',
      'userCreate',
      'clockAdvance',
      'fireWebhook',
      'reset',
    ])
    report('long and short writes of several clients at once all have their turn', figures)
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    expect(figures.succeeded).toBeGreaterThan(calls / 2)
  })
})
