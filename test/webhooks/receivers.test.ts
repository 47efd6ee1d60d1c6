import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SandboxTamper } from '../../generated/sandbox/types.ts'
import { root } from '../../scripts/contract/contract.ts'
import type { WebhookEvent } from '../../src/webhooks/index.ts'
import { freePort } from '../support/free-port.ts'
import { startWorld } from '../support/service.ts'
import { fromSources, snippetsOf } from '../support/snippets.ts'
import { insertTestItem, type Linked, settle } from '../support/transactions-fixtures.ts'

// The receivers of the guide, as they stand there, in processes of their own; the service posts to
// them, and its list says what they answered.

const guide = 'src/docs/guides/05-receive-webhooks.md'
const snippets = snippetsOf(guide, 'ts').filter(({ name }) => name !== undefined)
const receivers = snippets.flatMap(({ name }) => (name?.startsWith('receive-') ? [name] : []))
const tampers: readonly SandboxTamper[] = [
  'bad_signature',
  'unknown_key',
  'stale',
  'future',
  'altered_body',
  'alg_none',
]

let service: Awaited<ReturnType<typeof startWorld>>
let folder: string
let url: string
const children: ChildProcess[] = []

beforeAll(async () => {
  service = await startWorld()
  url = await service.app.listen({ port: 0, host: '127.0.0.1' })
  mkdirSync(join(root, '.cache'), { recursive: true })
  folder = mkdtempSync(join(root, '.cache/receivers-'))
})
afterAll(async () => {
  for (const child of children) {
    const exit = once(child, 'exit')
    child.kill()
    await exit
  }
  rmSync(folder, { recursive: true })
  await service.close()
})

/** Writes the guide's files where they can run, with this service and a port of their own. */
function writeFiles(name: string, port: number): string {
  const place = mkdtempSync(join(folder, 'one-'))
  for (const { name: file, code } of snippets) {
    const local = fromSources(code)
      .replaceAll("'../../", "'../../../")
      .replaceAll('http://127.0.0.1:4000', url)
      .replaceAll(/\b4002\b/g, String(port))
    writeFileSync(join(place, file as string), local)
  }
  return join(place, name)
}

/** Starts a receiver, and links an Item whose webhooks go there. */
async function start(name: string): Promise<Linked> {
  const port = await freePort()
  const file = writeFiles(name, port)
  const host = join(root, 'test/support/receiver-host.ts')
  const child = fork(host, [file, String(port)], { stdio: 'ignore', execArgv: [] })
  children.push(child)
  const ready = await Promise.race([once(child, 'message'), once(child, 'exit')])
  expect(ready).toEqual(['listening', undefined])
  const webhook = `http://127.0.0.1:${port}/webhooks`
  return insertTestItem(service, service.client, { webhook })
}

/** What the receiver answers to a webhook, tampered with or not. */
async function answerTo({ access_token }: Linked, tamper?: SandboxTamper): Promise<number | null> {
  await service.client.control('sandboxItemFireWebhook', {
    access_token,
    webhook_code: 'NEW_ACCOUNTS_AVAILABLE',
    ...(tamper ? { tamper } : {}),
  })
  await settle(service.client)
  return lastAnswer()
}

async function lastAnswer(): Promise<number | null> {
  const { webhooks } = await service.client.control('sandboxWebhookList', { count: 1 })
  return webhooks[0]?.attempts.at(-1)?.status_code ?? null
}

test('the guide has a receiver for each of these', () => {
  expect(receivers).toEqual([
    'receive-fastify.ts',
    'receive-express.ts',
    'receive-hono.ts',
    'receive-next.ts',
  ])
})

describe.each(receivers)('%s', (name) => {
  test('accepts what the service sends, and rejects every tamper', async () => {
    const item = await start(name)
    const answers: Record<string, number | null> = { genuine: await answerTo(item) }
    for (const tamper of tampers) answers[tamper] = await answerTo(item, tamper)
    answers['genuine again'] = await answerTo(item)
    const rejected = Object.fromEntries(tampers.map((tamper) => [tamper, 400]))
    expect(answers).toEqual({ genuine: 204, ...rejected, 'genuine again': 204 })
  })
})

test('a receiver that cannot fetch a key gets the webhook again', async () => {
  const item = await start('receive-express.ts')
  const operation = '/webhook_verification_key/get'
  const error_code = 'INTERNAL_SERVER_ERROR'
  await service.client.control('sandboxErrorInject', { operation, error_code, times: 10 })
  expect(await answerTo(item)).toBe(503)
  await service.client.control('sandboxErrorClear', {})
  await service.client.control('sandboxClockAdvance', { seconds: 30 })
  expect(await lastAnswer()).toBe(204)
})

describe('what waits', () => {
  interface Waiting {
    remember(event: WebhookEvent): void
    workOff(handle: (event: WebhookEvent) => Promise<void>): Promise<void>
  }
  let waiting: Waiting
  beforeAll(async () => {
    waiting = await import(/* @vite-ignore */ writeFiles('waiting.ts', 0))
  })

  const event: WebhookEvent = {
    webhook_type: 'TRANSACTIONS',
    webhook_code: 'SYNC_UPDATES_AVAILABLE',
    item_id: 'item',
    initial_update_complete: true,
    historical_update_complete: true,
    environment: 'sandbox',
  }
  const handled = async (meanwhile: () => void = () => {}): Promise<WebhookEvent[]> => {
    const events: WebhookEvent[] = []
    await waiting.workOff(async (one) => {
      events.push(one)
      meanwhile()
    })
    return events
  }

  test('is handled once, however often it came', async () => {
    waiting.remember(event)
    waiting.remember({ ...event })
    waiting.remember({ ...event, item_id: 'other' })
    expect(await handled()).toEqual([event, { ...event, item_id: 'other' }])
    expect(await handled()).toEqual([])
  })

  test('is handled again when it comes again meanwhile, or afterwards', async () => {
    waiting.remember(event)
    expect(await handled(() => waiting.remember(event))).toEqual([event])
    expect(await handled()).toEqual([event])
    waiting.remember(event)
    expect(await handled()).toEqual([event])
  })

  test('goes on waiting when its handling fails', async () => {
    waiting.remember(event)
    const failing = waiting.workOff(() => Promise.reject(new Error('later')))
    await expect(failing).rejects.toThrow('later')
    expect(await handled()).toEqual([event])
  })
})
