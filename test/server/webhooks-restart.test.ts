import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import { createKeys } from '../../src/server/kernel/keys.ts'
import { createPlace, openPlace, type Place } from '../support/engine.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { startService, type Tenant } from '../support/service.ts'
import { insertTestItem, settle } from '../support/transactions-fixtures.ts'
import { judgeAll } from '../support/webhook-judge.ts'

const key = '17'.repeat(32)

let place: Place
let receiver: Receiver
beforeEach(async () => {
  place = await createPlace()
  receiver = await startReceiver()
})
afterEach(async () => {
  await receiver.close()
  await place.remove()
})

const open = async () =>
  startService({
    database: await openPlace(place.address),
    keys: createKeys(Buffer.from(key, 'hex')),
  })

/** Fills a database with a client and an Item whose webhooks go to the receiver. */
async function prepare() {
  const service = await open()
  const { clientId, secret } = await service.tenant()
  const tenant = service.tenantOf(clientId, secret)
  const { access_token } = await insertTestItem(service, tenant, { webhook: receiver.url })
  await service.close()
  return { clientId, secret, access_token }
}

type World = Awaited<ReturnType<typeof prepare>>

/** Starts a service in a process of its own, which fires one webhook. */
function run(world: World, when: string): ChildProcess {
  const script = join(root, 'test/support/crashing-service.ts')
  const args = [place.address, key, world.clientId, world.secret, world.access_token, when]
  return spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'ignore', 'inherit'] })
}

const list = async (tenant: Tenant) => (await tenant.control('sandboxWebhookList', {})).webhooks

describe('a webhook', () => {
  test('whose service dies between commit and delivery is delivered by the next one', async () => {
    const world = await prepare()
    const [, signal] = await once(run(world, 'after the commit'), 'exit')
    expect(signal).toBe('SIGKILL')
    expect(receiver.received).toHaveLength(0)
    const service = await open()
    service.service.runner.wake()
    const arrived = await receiver.arrivals(1)
    const tenant = service.tenantOf(world.clientId, world.secret)
    expect(await judgeAll(tenant, arrived)).toEqual([null])
    await settle(tenant)
    expect(await list(tenant)).toMatchObject([{ status: 'delivered', attempts: [{}] }])
    await service.close()
  })

  test('whose service dies while it is delivered is delivered again', async () => {
    const world = await prepare()
    receiver.behave('hang')
    const child = run(world, 'when killed')
    await receiver.arrivals(1)
    child.kill('SIGKILL')
    await once(child, 'exit')
    receiver.behave(200)
    const service = await open()
    service.service.runner.wake()
    const arrived = await receiver.arrivals(2)
    const tenant = service.tenantOf(world.clientId, world.secret)
    expect(arrived[1]!.body.equals(arrived[0]!.body)).toBe(true)
    expect(await judgeAll(tenant, arrived)).toEqual([null, null])
    await settle(tenant)
    expect(await list(tenant)).toMatchObject([{ status: 'delivered', attempts: [{}] }])
    await service.close()
  })

  test('that hangs does not keep a service from closing, and is delivered by the next one', async () => {
    const world = await prepare()
    receiver.behave('hang')
    const first = await open()
    const { access_token } = world
    await first
      .tenantOf(world.clientId, world.secret)
      .control('sandboxItemFireWebhook', { access_token, webhook_code: 'DEFAULT_UPDATE' })
    await receiver.arrivals(1)
    await first.close()
    receiver.behave(200)
    const service = await open()
    service.service.runner.wake()
    await receiver.arrivals(2)
    const tenant = service.tenantOf(world.clientId, world.secret)
    await settle(tenant)
    expect(await list(tenant)).toMatchObject([{ status: 'delivered', attempts: [{}] }])
    await service.close()
  })

  test('waits for its retry across a restart, with the same key', async () => {
    const world = await prepare()
    receiver.behave(500)
    const first = await open()
    const { access_token } = world
    const before = first.tenantOf(world.clientId, world.secret)
    await before.control('sandboxItemFireWebhook', { access_token, webhook_code: 'DEFAULT_UPDATE' })
    await settle(before)
    await first.close()
    receiver.behave(200)
    const service = await open()
    const tenant = service.tenantOf(world.clientId, world.secret)
    await settle(tenant)
    expect(receiver.received).toHaveLength(1)
    await tenant.control('sandboxClockAdvance', { seconds: 30 })
    expect(await list(tenant)).toMatchObject([{ status: 'delivered', attempts: [{}, {}] }])
    expect(await judgeAll(tenant, receiver.received)).toEqual([null, null])
    await service.close()
  })
})
