import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readyAccessToken } from '../../src/server/clients/well-known-clients.ts'
import { type DashboardBrowser, signIn } from '../support/dashboard-browser.ts'
import { startReceiver } from '../support/receiver.ts'
import { startWorld } from '../support/service.ts'

let now = Date.parse('2026-03-16T14:05:09Z')
let world: Awaited<ReturnType<typeof startWorld>>
let subjects: { item: string; webhook: string; request: string }
let admin: DashboardBrowser & { id: string }
beforeAll(async () => {
  world = await startWorld({ clock: () => now })
  const receiver = await startReceiver()
  const { client } = world
  const item = { access_token: readyAccessToken, webhook: receiver.url }
  await client.api.itemWebhookUpdate(item).orThrow()
  await receiver.arrivals(1)
  await receiver.close()
  const browser = await signIn(world, { client_id: client.clientId, role: 'admin' })
  const { requests } = await browser.ask('dashboardRequestList', {})
  const { webhooks } = await browser.ask('dashboardWebhookList', {})
  subjects = {
    item: requests[0]?.item_id ?? '',
    webhook: webhooks[0]?.webhook_id ?? '',
    request: requests[0]?.request_id ?? '',
  }
})
afterAll(() => world.close())
beforeEach(async () => {
  admin = await signIn(world, { client_id: world.client.clientId, role: 'admin' })
})

const look = {
  item: (browser: DashboardBrowser) => browser.send('dashboardItemGet', { item_id: subjects.item }),
  webhook: (browser: DashboardBrowser) =>
    browser.send('dashboardWebhookGet', { webhook_id: subjects.webhook }),
  request: (browser: DashboardBrowser) =>
    browser.send('dashboardRequestGet', { id: subjects.request }),
}
const kinds = Object.keys(look) as (keyof typeof look)[]

async function looksOf(user: { id: string }, kind: keyof typeof look) {
  const { entries } = await admin.ask('dashboardAuditList', { action: `${kind}.view`, count: 100 })
  return entries.filter(({ actor }) => actor === `dashboard:${user.id}`)
}

test.each(kinds)('a look is in the audit log, once, with who, what and when: %s', async (kind) => {
  const user = await signIn(world, { client_id: world.client.clientId, role: 'developer' })
  expect((await look[kind](user)).status).toBe(200)
  // A page fetches again what it shows.
  now += 60_000
  expect((await look[kind](user)).status).toBe(200)
  expect(await looksOf(user, kind)).toMatchObject([
    { subject: subjects[kind], at: new Date(now - 60_000).toISOString().replace('.000', '') },
  ])
  now += 16 * 60_000
  await look[kind](user)
  expect(await looksOf(user, kind)).toHaveLength(2)
})

test('a look of another user is another look', async () => {
  const { clientId } = world.client
  const users = [
    await signIn(world, { client_id: clientId, role: 'developer' }),
    await signIn(world, { client_id: clientId, role: 'admin' }),
  ]
  for (const user of users) {
    await look.item(user)
    expect(await looksOf(user, 'item')).toHaveLength(1)
  }
})

test('what is not found was not looked at', async () => {
  const user = await signIn(world, { client_id: world.client.clientId, role: 'admin' })
  expect((await user.send('dashboardItemGet', { item_id: 'none' })).status).toBe(404)
  expect(await looksOf(user, 'item')).toEqual([])
})
