import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '#contract/operations.ts'
import { nextSequence } from '../../src/server/kernel/ids.ts'
import {
  addTemplates,
  advance,
  creation,
  kyc,
  maren,
  start,
} from '../support/identity-verification-fixtures.ts'
import { codeOf, createBank } from '../support/items-fixtures.ts'
import { type Answered, startService, type Tenant, type TestService } from '../support/service.ts'
import {
  exchange,
  forClient,
  newUser,
  refresh,
  revoke,
  signIn,
  tokensFor,
  use,
} from '../support/token-steps.ts'
import { createTransfer, readTransfer, simulate } from '../support/transfers-fixtures.ts'

// Two services with connections of their own on one database answer alternately. Whatever several
// callers want at once happens as if they had come one after the other.

const noon = '2026-03-16T12:00:00Z'

let service: TestService
let limited: TestService
beforeAll(async () => {
  service = await startService()
  limited = await startService({ rateLimits: 'sandbox', clock: () => Date.parse(noon) })
  await addTemplates(service)
})
afterAll(async () => {
  await service.close()
  await limited.close()
})

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

/** Sends one call so often at once, half of them to each service. */
const atOnce = (tenant: Tenant, count: number, path: string, body: object) =>
  Promise.all(numbers(count).map(() => tenant.post(path, body)))

const succeeded = (answers: readonly Answered[]) => answers.filter(({ status }) => status === 200)

/** The codes of the errors, each once. */
const rejections = (answers: readonly Answered[]) => [
  ...new Set(answers.map(codeOf).filter((code) => code !== 200)),
]

test('there are two services', () => {
  expect(service.processes).toBe(2)
})

test('a wallet gets the next number when another process took its own', async () => {
  const tenant = await limited.tenant()
  // Its clock stands still, so that the next place is known.
  const next = nextSequence(Date.parse(noon)) + 1
  await limited.service.database.transaction(({ run }) =>
    run(
      `insert into wallets (client_id, wallet_id, sequence, recipient_id, iso_currency_code, current,
          available, status) values ($1, 'taken', $2, 'nobody', 'EUR', 0, 0, 'ACTIVE')`,
      [tenant.clientId, next],
    ),
  )
  const { data } = await tenant.api.walletCreate({ iso_currency_code: 'EUR' })
  const wallets = await limited.service.database.single.all<{
    wallet_id: string
    sequence: number
  }>('select wallet_id, sequence from wallets where client_id = $1 order by sequence', [
    tenant.clientId,
  ])
  expect(wallets).toEqual([
    { wallet_id: 'taken', sequence: next },
    { wallet_id: data?.wallet_id, sequence: next + 1 },
  ])
})

describe('money', () => {
  test('of a transfer is settled once', async () => {
    const tenant = await service.tenant()
    const { id: transfer_id } = await createTransfer(tenant)
    await simulate(tenant, transfer_id, 'posted')
    const settle = { transfer_id, event_type: 'settled' }
    const answers = await atOnce(tenant, 8, '/sandbox/transfer/simulate', settle)
    expect(succeeded(answers)).toHaveLength(1)
    expect(rejections(answers)).toEqual(['INVALID_FIELD'])
    expect((await readTransfer(tenant, transfer_id)).status).toBe('settled')
  })

  test('is refunded up to the whole, and not beyond', async () => {
    const tenant = await service.tenant()
    const { id: transfer_id } = await createTransfer(tenant)
    const refund = { transfer_id, amount: '60.00' }
    const answers = await atOnce(tenant, 10, '/sandbox/transfer/refund/create', refund)
    expect(succeeded(answers)).toHaveLength(4)
    expect((await readTransfer(tenant, transfer_id)).refunds).toHaveLength(4)
  })

  test('leaves a wallet as far as it is there', async () => {
    const tenant = await service.tenant()
    const { data } = await tenant.api.walletCreate({ iso_currency_code: 'EUR' })
    const { wallet_id } = data!
    const move = (amount: number) => ({ wallet_id, amount })
    await tenant.control('sandboxWalletTransactionCreate', move(100))
    const path = '/sandbox/wallet/transaction/create'
    const [paid, received] = await Promise.all([
      atOnce(tenant, 10, path, move(-30)),
      atOnce(tenant, 2, path, move(10)),
    ])
    expect(succeeded(received)).toHaveLength(2)
    const left = 120 - 30 * succeeded(paid).length
    expect([0, 10, 20]).toContain(left % 30)
    const { data: after } = await tenant.api.walletGet({ wallet_id })
    expect(after!.balance).toMatchObject({ current: left, available: left })
  })
})

describe('what is there once', () => {
  test('a public token is exchanged once', async () => {
    const tenant = await service.tenant()
    const institution_id = await createBank(tenant)
    const link = { institution_id, initial_products: ['auth' as const] }
    const { public_token } = await tenant.control('sandboxPublicTokenCreate', link)
    const answers = await atOnce(tenant, 8, '/item/public_token/exchange', { public_token })
    expect(succeeded(answers)).toHaveLength(1)
    expect(rejections(answers)).toEqual(['INVALID_PUBLIC_TOKEN'])
  })

  test('one idempotent creation makes one attempt', async () => {
    const tenant = await service.tenant()
    const create = creation({ is_idempotent: true, user: maren })
    const answers = await atOnce(tenant, 8, '/identity_verification/create', create)
    expect(succeeded(answers)).toHaveLength(8)
    expect(new Set(answers.map(({ body }) => body['id'])).size).toBe(1)
  })

  test('one user is made of many creations', async () => {
    const tenant = await service.tenant()
    const answers = await atOnce(tenant, 8, '/user/create', { client_user_id: 'borrower-7f3a' })
    expect(succeeded(answers)).toHaveLength(1)
    expect(rejections(answers)).toEqual(['INVALID_FIELD'])
  })

  test('an injected error hits as many calls as it is for', async () => {
    const tenant = await service.tenant()
    const operation = '/dashboard_user/list'
    const error_code = 'INTERNAL_SERVER_ERROR'
    await tenant.control('sandboxErrorInject', { operation, error_code, times: 3 })
    const answers = await atOnce(tenant, 10, operation, {})
    expect(succeeded(answers)).toHaveLength(7)
    expect(rejections(answers)).toEqual([error_code])
  })

  test('as many calls pass as the limit says, in all processes together', async () => {
    const tenant = await limited.tenant()
    const access_token = 'access-sandbox-00000000-0000-4000-8000-00000000abcd'
    const answers = await atOnce(tenant, 16, '/liabilities/get', { access_token })
    const rejected = answers.filter(({ status }) => status === 429)
    const limit = operations.liabilitiesGet.rateLimits.sandbox.per_item
    expect(answers.length - rejected.length).toBe(limit)
  })
})

describe('steps of a verification', () => {
  const newest = (tenant: Tenant) => start(tenant, { template_id: kyc, is_idempotent: true })

  test('each end once, in their order', async () => {
    const tenant = await service.tenant()
    const { id } = await start(tenant, { template_id: kyc, user: maren })
    const succeed = { identity_verification_id: id, outcome: 'success' }
    const answers = await atOnce(tenant, 6, '/sandbox/identity_verification/advance', succeed)
    expect(succeeded(answers)).toHaveLength(1)
    expect(await newest(tenant)).toMatchObject({ id, status: 'success' })
  })

  test('are never passed and failed at once', async () => {
    const tenant = await service.tenant()
    const { id } = await start(tenant, { template_id: kyc, user: maren })
    const [passed, failed] = await Promise.allSettled([
      advance(tenant, id, 'success'),
      advance(tenant, id, 'failed'),
    ])
    expect([passed.status, failed.status].sort()).toEqual(['fulfilled', 'rejected'])
    const status = passed.status === 'fulfilled' ? 'success' : 'failed'
    expect(await newest(tenant)).toMatchObject({ id, status })
  })
})

describe('tokens', () => {
  test('of one user are exchanged at once for pairs of their own', async () => {
    const tenant = await service.tenant()
    const { user_token } = await newUser(tenant)
    const answers = await atOnce(tenant, 6, '/oauth/token', {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      audience: tenant.clientId,
      subject_token: user_token,
      subject_token_type: 'urn:service:params:tokens:user',
    })
    expect(succeeded(answers)).toHaveLength(6)
    expect(new Set(answers.map(({ body }) => body['access_token'])).size).toBe(6)
  })

  test('that are refreshed while their family is revoked do not outlive it', async () => {
    const tenant = await service.tenant()
    for (const _round of numbers(6)) {
      const { refresh_token } = await signIn(tenant)
      const calls = await Promise.all([
        ...numbers(3).map(() => refresh(tenant, refresh_token)),
        revoke(tenant, refresh_token).then(() => ({ data: undefined })),
        ...numbers(3).map(() => refresh(tenant, refresh_token)),
      ])
      const given = calls.flatMap(({ data }) => (data && 'access_token' in data ? [data] : []))
      const uses = await Promise.all(given.map(({ access_token }) => use(tenant, access_token)))
      expect(uses).toEqual(given.map(() => 401))
    }
  })

  test('that another client refreshes while their family is revoked do not outlive it', async () => {
    const [granter, taker] = [await service.tenant(), await service.tenant()]
    for (const _round of numbers(12)) {
      const { refresh_token: root } = await signIn(granter)
      const passed = await tokensFor(granter, exchange(forClient, taker.clientId, root))
      const [, ...calls] = await Promise.all([
        revoke(granter, root),
        ...numbers(6).map(() => refresh(taker, passed.refresh_token)),
      ])
      const given = calls.flatMap(({ data }) => (data && 'access_token' in data ? [data] : []))
      const uses = await Promise.all(given.map(({ access_token }) => use(taker, access_token)))
      expect(uses).toEqual(given.map(() => 401))
      const later = await Promise.all(given.map((pair) => refresh(taker, pair.refresh_token)))
      expect(later.filter(({ data }) => data)).toEqual([])
    }
  })
})
