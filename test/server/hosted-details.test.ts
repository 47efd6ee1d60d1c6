import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fileInstitutionId } from '../../src/institution-list/built-in.ts'
import { listBuiltInInstitutions } from '../../src/server/operator/apply-institutions.ts'
import { isInUse } from '../../src/server/sources/currencies-in-use.ts'
import { isIban, meansIban } from '../../src/server/sources/iban.ts'
import { createVisitor, linkRequest } from '../support/link-visitor.ts'
import { newTenant } from '../support/operator.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

describe('an IBAN', () => {
  test.each([
    'DE89370400440532013000',
    'GB29NWBK60161331926819',
    'NO9386011117947',
    'MT84MALT011000012345MTLCAST001S',
    'CH9300762011623852957',
  ])('%s is right', (text) => {
    expect([meansIban(text), isIban(text)]).toEqual([true, true])
  })

  test.each([
    ['with a wrong digit', 'DE89370400440532013001'],
    ['with two digits swapped', 'DE89370400440523013000'],
    ['without its last digit', 'DE8937040044053201300'],
    ['with a digit too many', 'DE893704004405320130000'],
    ['with the letter O for a zero', 'DE8937O400440532013000'],
    ['of another country', 'AT89370400440532013000'],
  ])('%s is wrong', (_what, text) => {
    expect([meansIban(text), isIban(text)]).toEqual([true, false])
  })

  test.each(['3000', '532013000', 'DE893000', 'ZZ89370400440532013000', 'ACCT00012345678'])(
    'is not what %s means',
    (text) => {
      expect(meansIban(text)).toBe(false)
    },
  )
})

test('currencies are those in use: official ones, and unofficial ones of the contract', () => {
  expect(['EUR', 'USD', 'JPY', 'XOF', 'BTC', 'GBX'].filter((code) => !isInUse(code))).toEqual([])
  expect(['ZZZ', 'XXX', 'XTS', 'XAU', 'HRK', 'DEM', 'EURO', ''].filter(isInUse)).toEqual([])
})

let service: TestService
let tenant: Tenant
beforeAll(async () => {
  service = await startService({ settings: { environment: 'production', reportDelayMs: 0 } })
  await listBuiltInInstitutions(service.service)
})
afterAll(() => service.close())
beforeEach(async () => {
  tenant = await newTenant(service)
})

const csv = { name: 'a.csv', bytes: 'Date,Description,Amount\n2026-01-05,Coffee,-12.50\n' }
const answers = {
  'kind-0': 'checking',
  'number-0': 'DE89 3704 0044 0532 0130 00',
  'currency-0': 'eur',
  'balance-0': '1250,40',
}

/** Comes to the questions about an account of which the file tells nothing. */
async function toDetails(language: 'en' | 'de' = 'en') {
  const request = { ...linkRequest, language, institution_id: fileInstitutionId }
  const { link_token, hosted_link_url } = await tenant.api.linkTokenCreate(request).orThrow()
  const visitor = createVisitor(service)
  await visitor.open(new URL(hosted_link_url).pathname)
  await visitor.send()
  return { link_token, visitor, page: await visitor.upload(csv) }
}

describe('the questions about an account', () => {
  test.each([
    ['number-0', 'DE89370400440532013001', 'This IBAN is not correct', 'Diese IBAN stimmt nicht'],
    ['number-0', 'abc', 'Enter the number', 'Geben Sie die Nummer'],
    ['number-0', 'nothing', 'Enter the number', 'Geben Sie die Nummer'],
    ['currency-0', 'ZZZ', 'There is no currency with these letters', 'Eine Währung mit diesen'],
    ['currency-0', '', 'Enter the three letters', 'Geben Sie die drei Buchstaben'],
    ['balance-0', '12,34,5', 'Enter the balance as a number', 'Geben Sie den Saldo als Zahl'],
  ])('%s rejects "%s", and shows the typed values again', async (field, typed, en, de) => {
    for (const [language, text] of [['en', en] as const, ['de', de] as const]) {
      const { visitor } = await toDetails(language)
      const rejected = await visitor.send({ ...answers, [field]: typed })
      expect(rejected.html).toContain(`<a href="#${field}">${text}`)
      expect(rejected.html.match(/class="error"/g)).toHaveLength(1)
      for (const value of Object.values({ ...answers, [field]: typed })) {
        expect(rejected.html).toContain(`value="${value}"`)
      }
    }
  })

  test('ask nothing else of an account that stays out', async () => {
    const { visitor, page } = await toDetails()
    expect(page.html).toMatch(/<option value="none">[\s\S]*<div class="needed">/)
    const rejected = await visitor.send({ 'kind-0': 'none', 'number-0': '?', 'currency-0': 'ZZZ' })
    const errors = [...rejected.html.matchAll(/<li><a href="#([\w-]+)">/g)].map(
      ([, field]) => field,
    )
    expect(errors).toEqual(['kind-0'])
    expect(rejected.html).toContain('no account here that can be shared')
  })

  test('are gone back to from the accounts, with their answers', async () => {
    const { visitor, page } = await toDetails('de')
    const share = await visitor.send(answers)
    expect(share.heading).toBe('Wählen Sie die Konten zur Freigabe')
    expect(share.html).toContain(`<a href="${page.path}">Zurück</a>`)
    const back = await visitor.open(page.path)
    expect(back.heading).toBe('Zu Ihrem Konto')
    expect(back.html).toContain('<option value="checking" selected>')
    for (const value of ['DE89370400440532013000', 'EUR', '1250,40']) {
      expect(back.html).toContain(`value="${value}"`)
    }
    const again = await visitor.send({ ...answers, 'kind-0': 'savings' })
    expect(again.heading).toBe('Wählen Sie die Konten zur Freigabe')
    expect((await visitor.send({ account: '0' })).heading).toBe('Ihre Konten sind verbunden')
  })

  test('are asked again for another file', async () => {
    const { visitor, page } = await toDetails()
    await visitor.send(answers)
    await visitor.open(page.path.replace('details', 'connect'))
    const other = await visitor.upload(csv)
    expect([other.heading, other.html.includes('DE8937')]).toEqual(['About your account', false])
    expect((await visitor.open(other.path.replace('details', 'share'))).heading).toBe(other.heading)
  })
})
