import { afterEach, describe, expect, test, vi } from 'vitest'
import { createClient, type Hooks } from '../../src/index.ts'
import { recorder, rejection } from '../support/recorder.ts'

afterEach(() => vi.useRealTimers())

const baseUrl = 'http://service.example'
const good = Response.json({ wallets: [], request_id: 'request000000002' })

/** Every event of a call that fails once, in order. */
async function events() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const told: unknown[] = []
  const hooks: Hooks = {
    onRequest: (event) => told.push(['request', event]),
    onResponse: (event) => told.push(['response', event]),
    onRetry: (event) => told.push(['retry', event]),
  }
  const { fetch } = recorder(rejection(500, 'INTERNAL_SERVER_ERROR'), new Error('lost'), good)
  const client = createClient({ baseUrl, clientId: 'me', secret: 'hush', fetch, hooks })
  const call = client.walletList({ cursor: 'whisper' })
  await vi.runAllTimersAsync()
  await call
  return told
}

describe('hooks', () => {
  test('are called for every attempt and every wait', async () => {
    const event = (attempt: number) => ({ operationId: 'walletList', attempt })
    const duration = expect.any(Number)
    expect(await events()).toEqual([
      ['request', event(1)],
      [
        'response',
        {
          ...event(1),
          status: 500,
          request_id: 'request000000001',
          error_code: 'INTERNAL_SERVER_ERROR',
          duration,
        },
      ],
      ['retry', { ...event(1), status: 500, delay: expect.any(Number) }],
      ['request', event(2)],
      ['response', { ...event(2), duration }],
      ['retry', { ...event(2), delay: expect.any(Number) }],
      ['request', event(3)],
      ['response', { ...event(3), status: 200, request_id: 'request000000002', duration }],
    ])
  })

  test('receive no secret and nothing of the body', async () => {
    expect(JSON.stringify(await events())).not.toMatch(/hush|whisper/)
  })

  test('that throw or reject do not break the call', async () => {
    const { fetch } = recorder(good)
    const hooks: Hooks = {
      onRequest: () => {
        throw new Error('a bug')
      },
      onResponse: async () => {
        throw new Error('a later bug')
      },
    }
    const { data } = await createClient({ baseUrl, fetch, hooks }).walletList({})
    expect(data?.wallets).toEqual([])
  })
})
