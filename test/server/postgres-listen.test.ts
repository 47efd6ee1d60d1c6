import { afterAll, beforeAll, expect, test } from 'vitest'
import { readyAccessToken as access_token } from '../../src/server/clients/well-known-clients.ts'
import { asAdmin, urlOf } from '../support/postgres-server.ts'
import { type ServiceProcess, startProcess } from '../support/service-process.ts'

// Listeners of one client at two processes, while both make events at once.

const name = `test_listen_${process.pid}`
const environment = { DATABASE_URL: urlOf(name), ENCRYPTION_KEY: '5e'.repeat(32) }

let processes: ServiceProcess[] = []
beforeAll(async () => {
  await asAdmin((sql) => sql.unsafe(`create database ${name}`))
  processes = await Promise.all([1, 2].map(() => startProcess(environment)))
}, 300_000)
afterAll(async () => {
  for (const { kill } of processes) await kill()
  await asAdmin((sql) => sql.unsafe(`drop database ${name} (force)`))
})

const at = (index: number) => processes[index % 2] as ServiceProcess

interface Page {
  webhooks: { webhook_id: string; body: string }[]
  next_cursor: string
}

/** Listens at one process until so many webhooks have come. */
async function listen(index: number, cursor: string, count: number): Promise<Page['webhooks']> {
  const body = { cursor, count: 7, wait_seconds: 20 }
  const { webhooks, next_cursor } = (await at(index).post('/webhook/listen', body))
    .body as never as Page
  if (webhooks.length >= count || webhooks.length === 0) return webhooks
  return [...webhooks, ...(await listen(index, next_cursor, count - webhooks.length))]
}

test('listeners at two processes get every webhook of both, once and in one order', async () => {
  const first = await at(0).post('/webhook/listen', {})
  const cursor = String(first.body['next_cursor'])
  const heard = Promise.all([0, 1, 1].map((index) => listen(index, cursor, 40)))
  const fired = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      at(index).post('/sandbox/item/fire_webhook', {
        access_token,
        webhook_code: 'LOGIN_REPAIRED',
      }),
    ),
  )
  expect(fired.map(({ status }) => status)).toEqual(fired.map(() => 200))
  const [one = [], other, third] = await heard
  const ids = one.map(({ webhook_id }) => webhook_id)
  expect(new Set(ids).size).toBe(40)
  expect(other?.map(({ webhook_id }) => webhook_id)).toEqual(ids)
  expect(third?.map(({ webhook_id }) => webhook_id)).toEqual(ids)
}, 300_000)
