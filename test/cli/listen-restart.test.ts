import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type StartedService, start } from '../../src/server/boot/start.ts'
import { readyAccessToken as access_token } from '../../src/server/clients/well-known-clients.ts'
import { type Config, readConfig } from '../../src/server/config/config.ts'
import { freePort } from '../support/free-port.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { firstClient, headersOf } from '../support/service-process.ts'
import { openTypedClient, type TypedClient } from '../support/typed-client.ts'

let folder: string
let port: number
let receiver: Receiver
let user: TypedClient
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'listen-restart-'))
  port = await freePort()
  receiver = await startReceiver()
  user = openTypedClient()
})
afterAll(async () => {
  await receiver.close()
  user.remove()
  rmSync(folder, { recursive: true })
})

const run = (): Promise<StartedService> =>
  start(readConfig(['--port', String(port), '--data', folder], { LOG_LEVEL: 'silent' }) as Config)

async function fire(webhook_code: string): Promise<number> {
  const { status } = await fetch(`http://127.0.0.1:${port}/sandbox/item/fire_webhook`, {
    method: 'POST',
    headers: headersOf(firstClient),
    body: JSON.stringify({ access_token, webhook_type: 'ITEM', webhook_code }),
  })
  return status
}

const patience = { timeout: 120_000 }

test('a service that restarts while somebody listens loses no webhook, and doubles none', async () => {
  const first = await run()
  const listening = user.begin(['listen', '--forward-to', receiver.url], {
    SERVICE_URL: `http://127.0.0.1:${port}`,
    SERVICE_CLIENT_ID: firstClient.clientId,
    SERVICE_SECRET: firstClient.secret,
  })
  await expect.poll(listening.errors, patience).toContain('listens for the webhooks of ')
  expect(await fire('ERROR')).toBe(200)
  await expect.poll(() => receiver.received.length, patience).toBe(1)
  await first.close()
  await expect.poll(listening.errors, patience).toContain('trying again')
  const second = await run()
  expect(await fire('LOGIN_REPAIRED')).toBe(200)
  await expect.poll(listening.errors, patience).toContain('the service answers again')
  expect(await fire('PENDING_EXPIRATION')).toBe(200)
  await expect.poll(() => receiver.received.length, patience).toBe(3)
  listening.child.kill('SIGTERM')
  expect(await listening.ended).toBe(0)
  await second.close()
  expect(receiver.received.map(({ body }) => JSON.parse(String(body)).webhook_code)).toEqual([
    ...['ERROR', 'LOGIN_REPAIRED', 'PENDING_EXPIRATION'],
  ])
}, 300_000)
