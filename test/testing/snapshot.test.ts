import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Snapshot, startService, type TestService } from '../../src/testing/index.ts'

const ready = { access_token: 'access-sandbox-00000000-0000-4000-8000-000000000001' }

let service: TestService
let fresh: Snapshot

beforeAll(async () => {
  service = await startService()
  fresh = await service.snapshot()
})

beforeEach(() => service.restore(fresh))

afterAll(() => service.close())

describe('restoring a snapshot', () => {
  test('takes back what was written, changed and removed, of all clients', async () => {
    const before = await service.snapshot()
    const tenant = await service.tenant()
    await tenant.linkItem()
    await service.client.itemRemove(ready).orThrow()
    await service.client.walletCreate({ iso_currency_code: 'EUR' }).orThrow()
    const { wallets } = await service.client.walletList({}).orThrow()
    await service.restore(before)
    expect((await service.client.accountsGet(ready).orThrow()).accounts).toHaveLength(6)
    expect((await service.client.walletList({}).orThrow()).wallets).toHaveLength(wallets.length - 1)
    expect((await tenant.client.walletList({})).error?.error_code).toBe('INVALID_API_KEYS')
  })

  test('can be done again and again, in any order', async () => {
    const { wallets } = await service.client.walletList({}).orThrow()
    await service.client.walletCreate({ iso_currency_code: 'EUR' }).orThrow()
    const one = await service.snapshot()
    await service.client.walletCreate({ iso_currency_code: 'EUR' }).orThrow()
    const two = await service.snapshot()
    const count = async (snapshot: Snapshot) => {
      await service.restore(snapshot)
      return (await service.client.walletList({}).orThrow()).wallets.length - wallets.length
    }
    expect(await count(fresh)).toBe(0)
    expect(await count(two)).toBe(2)
    expect(await count(one)).toBe(1)
    expect(await count(two)).toBe(2)
  })

  test('puts clocks, faults, limits and the list of calls back', async () => {
    const now = async () => Date.parse((await service.control.sandboxClockGet({}).orThrow()).now)
    const start = await now()
    await service.control.sandboxClockAdvance({ seconds: 864_000 }).orThrow()
    const fault = { operation: '/accounts/get', error_code: 'INTERNAL_SERVER_ERROR', times: 5 }
    await service.control.sandboxErrorInject({ ...fault }).orThrow()
    await service.restore(fresh)
    expect((await now()) - start).toBeLessThan(600_000)
    expect((await service.client.accountsGet(ready)).error).toBeUndefined()
    const { requests } = await service.control.sandboxRequestList({}).orThrow()
    expect(requests.map(({ path }) => path)).toEqual(['/accounts/get', '/sandbox/clock/get'])
  })

  test('puts keys back: what a receiver has kept still verifies', async () => {
    await using inbox = await service.inbox()
    const { access_token } = await service.linkItem({ webhook: inbox.url })
    await inbox.next('HISTORICAL_UPDATE')
    const linked = await service.snapshot()
    await service.control.sandboxWebhookRotateKey({}).orThrow()
    await service.restore(linked)
    const webhook_code = 'NEW_ACCOUNTS_AVAILABLE'
    await service.control.sandboxItemFireWebhook({ access_token, webhook_code }).orThrow()
    await inbox.next('NEW_ACCOUNTS_AVAILABLE')
    expect(inbox.all.filter(({ refusal }) => refusal)).toEqual([])
  })

  test('goes on with the work that waited in the snapshot', async () => {
    const { access_token } = await service.linkItem()
    const { next_cursor } = await service.client
      .transactionsSync({ access_token, cursor: 'now' })
      .orThrow()
    const linked = await service.snapshot()
    const changesOfMonth = async () => {
      await service.control.sandboxClockAdvance({ seconds: 30 * 86_400 }).orThrow()
      const { added } = await service.client
        .transactionsSync({ access_token, cursor: next_cursor, count: 500 })
        .orThrow()
      return added.map(({ transaction_id }) => transaction_id)
    }
    const first = await changesOfMonth()
    await service.restore(linked)
    expect(first.length).toBeGreaterThan(0)
    expect(await changesOfMonth()).toEqual(first)
  })

  test('waits for calls that are under way, and lets later ones wait', async () => {
    const creating = Array.from({ length: 5 }, () =>
      service.client.walletCreate({ iso_currency_code: 'EUR' }).orThrow(),
    )
    const restoring = service.restore(fresh)
    const created = await Promise.all(creating)
    await restoring
    const { wallets } = await service.client.walletList({}).orThrow()
    const listed = new Set(wallets.map(({ wallet_id }) => wallet_id))
    // Those before it are gone with their answers given, those after it are there.
    const gets = created.map(({ wallet_id }) => service.client.walletGet({ wallet_id }))
    const found = (await Promise.all(gets)).map(({ response }) => response.status === 200)
    expect(found).toEqual(created.map(({ wallet_id }) => listed.has(wallet_id)))
  })

  test('does not wait for receivers that are silent', async () => {
    await using inbox = await service.inbox()
    const { access_token } = await service.linkItem({ webhook: inbox.url })
    inbox.answer({ hang: true })
    const webhook_code = 'NEW_ACCOUNTS_AVAILABLE'
    await service.control.sandboxItemFireWebhook({ access_token, webhook_code }).orThrow()
    await inbox.next('NEW_ACCOUNTS_AVAILABLE')
    await service.restore(fresh)
    expect((await service.client.accountsGet({ access_token })).error?.error_code).toBe(
      'INVALID_ACCESS_TOKEN',
    )
  })

  test('ends an advance of the clock that waits for such a receiver', async () => {
    await using inbox = await service.inbox()
    const { access_token } = await service.linkItem({ webhook: inbox.url })
    inbox.answer({ hang: true })
    const webhook_code = 'NEW_ACCOUNTS_AVAILABLE'
    await service.control.sandboxItemFireWebhook({ access_token, webhook_code }).orThrow()
    const advancing = service.control.sandboxClockAdvance({ seconds: 1 })
    await inbox.next('NEW_ACCOUNTS_AVAILABLE')
    await service.restore(fresh)
    expect((await advancing).response.status).toBe(200)
  })

  test('is rejected to another service', async () => {
    await using other = await startService()
    await expect(other.restore(fresh)).rejects.toThrow(/only by the service that it is of/)
  })
})

describe('taking a snapshot', () => {
  test('does first what is due, so that nothing is sent again after it', async () => {
    await using inbox = await service.inbox()
    await service.linkItem({ webhook: inbox.url, settled: false })
    const linked = await service.snapshot()
    const told = inbox.all.length
    expect(inbox.all.map(({ event }) => event?.webhook_code)).toContain('HISTORICAL_UPDATE')
    await service.restore(linked)
    await service.control.sandboxClockAdvance({ seconds: 0 }).orThrow()
    expect(inbox.all.length).toBe(told)
  })

  test('changes nothing', async () => {
    const { accounts } = await service.client.accountsGet(ready).orThrow()
    await service.snapshot()
    expect((await service.client.accountsGet(ready).orThrow()).accounts).toEqual(accounts)
  })
})
