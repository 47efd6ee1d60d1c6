import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { wellKnownClients } from '../../src/server/clients/well-known-clients.ts'
import { conformTo, type Fault, failuresIn, startFaulty } from '../support/conform.ts'
import { freePort } from '../support/free-port.ts'
import { type Body, startWorld, type TestService } from '../support/service.ts'

let service: TestService
let url: string
beforeAll(async () => {
  service = await startWorld({ settings: { environment: 'sandbox', reportDelayMs: 30_000 } })
  url = await service.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => service.close())

const [{ clientId, secret }] = wellKnownClients

interface Planted extends Fault {
  /** The operation, or otherwise the webhook, that is judged. */
  only: string
  /** The beginning of one of the lines that name the fault. */
  named: string
}

const change = (body: Body, list: string, edit: (one: Body) => Body) => ({
  ...body,
  [list]: (body[list] as Body[] | undefined)?.map(edit),
})

const faults: Record<string, Planted> = {
  'a number is a text': {
    only: 'accountsGet',
    path: '/accounts/get',
    answer: ({ status, body }) =>
      status === 200
        ? {
            body: change(body, 'accounts', (one) => ({
              ...one,
              balances: { ...(one['balances'] as Body), current: '12.50' },
            })),
          }
        : undefined,
    named: 'accountsGet, answers: accounts[0].balances.current must be a number',
  },
  'a field is surplus': {
    only: 'walletList',
    path: '/wallet/list',
    answer: ({ status, body }) =>
      status === 200
        ? { body: change(body, 'wallets', (one) => ({ ...one, internal_id: 7 })) }
        : undefined,
    named: 'walletList, answers: wallets[0].internal_id is not a field that the contract has here',
  },
  'a field is missing': {
    only: 'itemGet',
    path: '/item/get',
    answer: ({ status, body }) => {
      if (status !== 200) return undefined
      const { item_id: _, ...item } = body['item'] as Body
      return { body: { ...body, item } }
    },
    named: 'itemGet, answers: item.item_id is required',
  },
  'a page loses an item': {
    only: 'transactionsSync',
    path: '/transactions/sync',
    answer: ({ status, body, request }) =>
      status === 200 && request['cursor']
        ? { body: { ...body, added: (body['added'] as Body[]).slice(1) } }
        : undefined,
    named: 'transactionsSync, pages: added, modified, removed the pages must hold the same items',
  },
  'a list has no end': {
    only: 'walletList',
    path: '/wallet/list',
    answer: ({ status, body }) =>
      status === 200 ? { body: { ...body, next_cursor: 'd2FsbGV0' } } : undefined,
    request: ({ cursor: _, ...body }) => body,
    named: 'walletList, pages: next_cursor leads back to a page',
  },
  'everybody is one client': {
    only: 'accountsGet',
    path: '/accounts/get',
    request(body, headers) {
      headers.set('SERVICE-CLIENT-ID', clientId)
      headers.set('SERVICE-SECRET', secret)
      return body
    },
    named:
      'accountsGet, isolation: status must be an error, since the token in the request was issued to another client',
  },
  'a key is not looked at': {
    only: 'walletCreate',
    path: '/wallet/create',
    request(body, headers) {
      headers.delete('Idempotency-Key')
      return body
    },
    named: 'walletCreate, retries: body must equal the first answer',
  },
  'a key is not of a client': {
    only: 'walletCreate',
    path: '/wallet/create',
    request(body, headers) {
      if (headers.has('Idempotency-Key')) headers.set('SERVICE-SECRET', secret)
      return body
    },
    named: 'walletCreate, retries: status must be an error for a wrong secret',
  },
  'a page is longer than asked for': {
    only: 'walletList',
    path: '/wallet/list',
    request: ({ count: _, ...body }) => body,
    named: 'walletList, pages: wallets must be at most',
  },
  'a code has a secret': {
    only: 'walletGet',
    path: '/wallet/get',
    answer: ({ status, body }) =>
      status === 400 ? { body: { ...body, error_code: secret } } : undefined,
    named: 'walletGet, protocol: error_code must be 400 INVALID_BODY, not 400',
  },
  'a limit is not checked': {
    only: 'walletList',
    path: '/wallet/list',
    request: (body) => (Number(body['count']) > 20 ? { ...body, count: 20 } : body),
    named: 'walletList, request rules: count a request with a wrong number',
  },
  'an error has another code': {
    only: 'walletGet',
    path: '/wallet/get',
    answer: ({ body }) =>
      body['error_code'] === 'UNKNOWN_FIELDS'
        ? { body: { ...body, error_code: 'INVALID_FIELD' } }
        : undefined,
    named: 'walletGet, request rules: x_unknown a request with a wrong set of fields',
  },
  'an error has another status': {
    only: 'userCreate',
    path: '/user/create',
    answer: ({ status }) => (status === 413 ? { status: 400 } : undefined),
    named: 'userCreate, protocol: status must be 413 INVALID_BODY, not 400 INVALID_BODY',
  },
  'a header is missing': {
    only: 'walletCreate',
    path: '/wallet/create',
    answer: ({ headers, body }) => {
      headers.delete('request-id')
      return { body }
    },
    named: 'walletCreate, answers: header Request-Id is required',
  },
  'a revoked token still refreshes': {
    only: 'oauthToken',
    path: '/oauth/token',
    answer: ({ body, request }) =>
      body['error'] === 'invalid_grant' && request['grant_type'] === 'refresh_token'
        ? {
            status: 200,
            body: {
              access_token: 'sva-AAAAAAAAAAAAAAAAAAAAAA==',
              refresh_token: 'svr-AAAAAAAAAAAAAAAAAAAAAA==',
              ...{ token_type: 'Bearer', expires_in: 900, request_id: 'o5BS1VdzWsLRz3E' },
            },
          }
        : undefined,
    named: 'oauthToken, workflows: status step refreshAgain (oauthToken): must meet',
  },
}

describe('a service with one fault', () => {
  test.each(Object.entries(faults))('%s: is named', async (_name, { only, named, ...fault }) => {
    const faulty = await startFaulty(url, fault)
    const lines = failuresIn(await conformTo(faulty.url, { only }))
    await faulty.close()
    expect(lines.filter((line) => line.startsWith(named))).not.toEqual([])
    expect(lines.filter((line) => line.includes(secret))).toEqual([])
    expect(lines.filter((line) => !line.startsWith(`${only}, `))).toEqual([])
  })

  test('does no harm to what is not faulty', async () => {
    const { only, named: _, ...fault } = faults['a field is surplus'] as Planted
    const faulty = await startFaulty(url, fault)
    const { results } = await conformTo(faulty.url, { only })
    await faulty.close()
    const failed = results.filter(({ outcome }) => outcome === 'failed')
    expect(new Set(failed.map(({ group }) => group))).toEqual(new Set(['answers', 'pages']))
  })
})

describe('webhooks', () => {
  test('are judged where the service can reach a receiver', async () => {
    const receiver = new URL(`http://127.0.0.1:${await freePort()}/webhooks`)
    const report = await conformTo(url, { only: 'TRANSACTIONS.DEFAULT_UPDATE', receiver })
    expect(failuresIn(report)).toEqual([])
    expect(report.passed).toBe(1)
  })

  test('with a wrong signature are found', async () => {
    const receiver = new URL(`http://127.0.0.1:${await freePort()}/webhooks`)
    // The key of a webhook is asked for by its id.
    const faulty = await startFaulty(url, {
      path: '/webhook_verification_key/get',
      answer: ({ status, body }) =>
        status === 200
          ? { body: { ...body, key: { ...(body['key'] as Body), x: 'A'.repeat(43) } } }
          : undefined,
    })
    const report = await conformTo(faulty.url, { only: 'ITEM.ERROR', receiver })
    await faulty.close()
    expect(failuresIn(report).join()).toContain('ITEM.ERROR, webhooks: header Service-Verification')
  })
})

describe('a service without the sandbox API', () => {
  test('is judged on what can be done without', async () => {
    const without = await startFaulty(url, {
      path: '/sandbox/clock/get',
      answer: () => ({ status: 404, body: {} }),
    })
    const { passed, failed, notJudged, results } = await conformTo(without.url, {
      only: 'assetReportGet',
    })
    await without.close()
    const reasons = results.flatMap(({ reason = [] }) => reason)
    expect({ failed, hasPassed: passed > 20 }).toEqual({ failed: 0, hasPassed: true })
    expect(notJudged).toBeGreaterThan(2)
    expect(reasons).toContain('needs the sandbox API (sandboxClockAdvance)')
    expect(reasons).toContain('needs a second client: --other-client-id')
  })
})

test('nothing that answers is told as such', async () => {
  const closed = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => closed.once('listening', resolve))
  const { port } = closed.address() as AddressInfo
  await new Promise((resolve) => closed.close(resolve))
  const asking = conformTo(`http://127.0.0.1:${port}`, { only: 'walletGet' })
  await expect(asking).rejects.toThrow(/no answer: ECONNREFUSED/)
})
