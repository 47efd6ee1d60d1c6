import { afterAll, beforeAll, expect, test } from 'vitest'
import { importText } from '../support/import-file.ts'
import { newAccessToken, newTenant } from '../support/operator.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({
    settings: { environment: 'production', reportDelayMs: 0 },
    // The contract does not list the codes of all sources.
    checkAnswer: undefined,
  })
})
afterAll(() => service.close())

const text = 'Date,Description,Amount,Balance\n2026-01-13,Coffee,-2.50,97.50\n'

async function importIn(currency: string) {
  const tenant = await newTenant(service)
  const order = { client_id: tenant.clientId, kind: { type: 'depository', subtype: 'checking' } }
  const done = await importText(service, text, order, { given: { currency, accountId: '123456' } })
  return { done, tenant }
}

test.each([
  ['EUR', 'EUR', null],
  ['GBX', null, 'GBX'],
  ['USDC', null, 'USDC'],
  ['https://points.example.com/coin?id=7', null, 'https://points.example.com/coin?id=7'],
])('the currency %s is shown as it is told', async (currency, iso, other) => {
  const { done, tenant } = await importIn(currency)
  expect(done).toMatchObject({ skipped: [], accounts: [{ new: 1 }] })
  const access_token = await newAccessToken(service, done.item_id)
  const shown = { iso_currency_code: iso, unofficial_currency_code: other }
  const { body: accounts } = await tenant.post('/accounts/get', { access_token })
  expect(accounts).toMatchObject({ accounts: [{ balances: shown }] })
  const { body: sync } = await tenant.post('/transactions/sync', { access_token })
  expect(sync).toMatchObject({ added: [{ amount: 2.5, ...shown }] })
})

test.each(['eur', '€', 'XXX', 'javascript:alert(1)', 'ftp://a.example', 'https://a b', 'E', ''])(
  'the currency %j leaves the statement out',
  async (currency) => {
    const { done } = await importIn(currency)
    expect(done).toMatchObject({ item_id: null, accounts: [] })
    expect(done.skipped).toMatchObject([{ reason: expect.stringContaining('the currency') }])
  },
)
