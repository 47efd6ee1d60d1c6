import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readyAccessToken as access_token } from '../../src/server/clients/well-known-clients.ts'
import { openPostgres } from '../../src/server/db/postgres.ts'
import { asAdmin, urlOf } from '../support/postgres-server.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { type ServiceProcess, startProcess } from '../support/service-process.ts'

// Processes as `npm start` runs them, on one database that was empty when all of them started.

const name = `test_processes_${process.pid}`
const environment = {
  DATABASE_URL: urlOf(name),
  ENCRYPTION_KEY: '5e'.repeat(32),
  REPORT_DELAY_MS: '500',
}

let processes: ServiceProcess[]
let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
  await asAdmin((sql) => sql.unsafe(`create database ${name}`))
  const starting = [1, 2, 3, 4, 5].map(() => startProcess(environment))
  processes = await Promise.all(starting)
}, 120_000)
afterAll(async () => {
  for (const { kill } of processes) await kill()
  await receiver.close()
  await asAdmin((sql) => sql.unsafe(`drop database ${name} (force)`))
})

const at = (index: number) => processes[index] as ServiceProcess

async function count(table: string): Promise<number> {
  const database = await openPostgres(urlOf(name))
  const row = await database.single.first<{ found: number }>(
    `select count(*) as found from ${table}`,
  )
  await database.close()
  return row?.found ?? 0
}

/** Asks until the answer is there. */
async function until<Value>(ask: () => Promise<Value | undefined>): Promise<Value> {
  for (;;) {
    const value = await ask()
    if (value !== undefined) return value
    await sleep(50)
  }
}

/** An Item whose webhooks go to an address; its access token. */
async function linkTo(webhook: string): Promise<string> {
  const { body } = await at(0).post('/sandbox/public_token/create', {
    institution_id: 'ins_109508',
    initial_products: ['transactions'],
    options: { webhook },
  })
  const { public_token } = body
  const exchanged = await at(1).post('/item/public_token/exchange', { public_token })
  return String(exchanged.body['access_token'])
}

test('concurrent first starts write the seed data once, and all serve it', async () => {
  const answers = await Promise.all(
    processes.map(({ post }) => post('/accounts/get', { access_token })),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  const [first, ...others] = answers.map(({ body }) => body['accounts'])
  expect(others).toEqual([first, first, first, first])
  expect(await count('clients')).toBe(2)
})

test('what one process signs, the others hand out the key for', async () => {
  const fire = { access_token, webhook_code: 'DEFAULT_UPDATE' }
  const token = await linkTo(receiver.url)
  const fired = await at(2).post('/sandbox/item/fire_webhook', {
    ...fire,
    access_token: token,
  })
  expect(fired.status).toBe(200)
  const [arrived] = await receiver.arrivals(1)
  const signature = Object.entries(arrived!.headers).find(([, value]) => /^ey/.test(String(value)))
  const [head = ''] = String(signature?.[1]).split('.')
  const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString())
  for (const { post } of processes) {
    const { body } = await post('/webhook_verification_key/get', { key_id: kid })
    expect(body).toMatchObject({ key: { kid } })
  }
})

test('a report whose process is killed is made by another', async () => {
  const made = await at(2).post('/asset_report/create', {
    access_tokens: [access_token],
    days_requested: 30,
  })
  expect(made.status).toBe(200)
  await at(2).kill()
  const { asset_report_token } = made.body
  const report = await until(async () => {
    const { status, body } = await at(0).post('/asset_report/get', { asset_report_token })
    return status === 200 ? body : undefined
  })
  expect(report).toMatchObject({ report: { days_requested: 30 } })
})

test('a process that is asked to end leaves the others at work', async () => {
  expect(await at(1).stop()).toBe(0)
  expect((await at(0).post('/accounts/get', { access_token })).status).toBe(200)
})

test('a process with another key does not start', async () => {
  const other = { ...environment, ENCRYPTION_KEY: '5f'.repeat(32) }
  await expect(startProcess(other)).rejects.toThrow('ended before it listened')
})

test('a process that starts later finds the data', async () => {
  const later = await startProcess(environment)
  processes.push(later)
  expect((await later.post('/accounts/get', { access_token })).status).toBe(200)
  expect(await count('clients')).toBe(2)
})
