import { afterAll, beforeAll, expect, test } from 'vitest'
import { importText, january, writeStatement } from '../support/import-file.ts'
import { newTenant } from '../support/operator.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({ settings: { environment: 'production', reportDelayMs: 0 } })
})
afterAll(() => service.close())

const swedish = {
  ...january,
  account: { iban: 'SE4550000000058398257466', bank: '5000', number: '58398257466' },
}

test('a new account whose number stands in the IBAN of another one is told', async () => {
  const { clientId: client_id } = await newTenant(service)
  const order = { client_id, kind: { type: 'depository', subtype: 'checking' } }
  const first = await importText(service, writeStatement('CAMT.053 version 2', swedish), order)
  expect(first.accounts).toMatchObject([{ is_new: true, name: 'Checking 7466' }])
  expect(first.accounts[0]).not.toHaveProperty('alike')
  const ofx = writeStatement('OFX 1.x', swedish)
  const [other] = (await importText(service, ofx.replaceAll('EUR', 'SEK'), order)).accounts
  expect(other).toMatchObject({ is_new: true })
  expect(other).not.toHaveProperty('alike')
  const second = await importText(service, ofx, order)
  expect(second.accounts).toMatchObject([{ is_new: true, alike: 'Checking 7466' }])
  const third = await importText(service, ofx, order)
  expect(third.accounts[0]).not.toHaveProperty('alike')
})
