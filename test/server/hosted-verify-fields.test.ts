import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startService, type Tenant, type TestService } from '../support/service.ts'
import { answerAll, answersOf, readAttempt, startAt, visit } from '../support/verify-visitor.ts'

// What people type on the page of a verification, and what it says to that.

let service: TestService
let tenant: Tenant
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())
beforeEach(async () => {
  tenant = await service.tenant()
})

/** A visitor at a question about the person. */
async function visitAt(page: string, { country = 'US', language = 'en' } = {}) {
  const opened = await startAt(tenant, ['kyc_check'])
  const visitor = await visit(service, opened.path, { language })
  await answerAll(visitor, { ...answersOf('Talvik'), country: { country } }, page)
  return { ...opened, visitor }
}

/** The links of the summary of errors: the id of a field, and what is wrong with it. */
const errorsOf = (html: string): string[][] =>
  [...html.matchAll(/<li><a href="#([^"]+)">(.*?)<\/a>/g)].map(([, ...parts]) => parts)

const codeField = 'one-time-code'

describe('a code', () => {
  test('is sent five times at most; who asks for another one fails', async () => {
    const opened = await startAt(tenant, ['verify_sms'])
    const visitor = await visit(service, opened.path)
    await visitor.send({ tel: '+1 415 555 0142' })
    for (let tries = 0; tries < 3; tries += 1) await visitor.send({ [codeField]: '000000' })
    await visitor.send({ tel: '+1 415 555 0142' })
    for (let messages = 2; messages < 5; messages += 1) await visitor.send({ again: 'yes' })
    expect((await readAttempt(tenant, opened)).steps.verify_sms).toBe('active')
    await visitor.send({ again: 'yes' })
    const after = await readAttempt(tenant, opened)
    expect(after.steps.verify_sms).toBe('failed')
    expect(after.verify_sms?.verifications).toMatchObject([
      { status: 'failed', delivery_attempt_count: 1, solve_attempt_count: 3 },
      { status: 'failed', delivery_attempt_count: 4, solve_attempt_count: 0 },
    ])
  })

  test('that is not six digits uses up no try', async () => {
    const opened = await startAt(tenant, ['verify_sms'])
    const visitor = await visit(service, opened.path)
    await visitor.send({ tel: '+1 415 555 0142' })
    for (const code of ['12345', '1234567', '12345a', 'none', '٠١٢٣٤٥']) {
      await visitor.send({ [codeField]: code })
      expect(errorsOf(visitor.last().html)).toEqual([
        [codeField, 'Enter the six digits of the code. This did not count as a try.'],
      ])
    }
    await visitor.send({ [codeField]: '000000' })
    expect(visitor.last().html).toContain('You can try it 2 more times')
    await visitor.send({ [codeField]: '12 34-56' })
    expect(visitor.last().heading).toBe('Your identity is verified')
    const { verify_sms } = await readAttempt(tenant, opened)
    expect(verify_sms?.verifications).toMatchObject([{ solve_attempt_count: 2 }])
  })

  test('that was wrong three times leaves the number in its field, for this browser only', async () => {
    const opened = await startAt(tenant, ['verify_sms'])
    const visitor = await visit(service, opened.path)
    await visitor.send({ tel: '+1 (415) 555-0142' })
    for (let tries = 0; tries < 3; tries += 1) await visitor.send({ [codeField]: '000000' })
    expect(visitor.last().heading).toBe('Confirm your phone number')
    expect(errorsOf(visitor.last().html)[0]?.[1]).toContain('wrong three times')
    expect(visitor.last().html).toMatch(/id="tel"[^>]* value="\+1 \(415\) 555-0142"/)
    const other = await visit(service, opened.path)
    await other.send()
    expect(other.last().html).toMatch(/id="tel"[^>]* value=""/)
    expect(other.last().html).not.toContain('555-0142')
  })
})

describe('a date of birth', () => {
  const cases: [typed: string, errors: string[][]][] = [
    ['27 3 85', [['bday-year', 'Enter the year with four digits, such as 1985']]],
    [
      '27 March 1985',
      [['bday-month', 'Enter the month as a number from 1 to 12, such as 3 for March']],
    ],
    ['32 3 1985', [['bday-day', 'Enter the day as a number from 1 to 31']]],
    [
      '27th 13 1985',
      [
        ['bday-day', 'Enter the day as a number from 1 to 31'],
        ['bday-month', 'Enter the month as a number from 1 to 12, such as 3 for March'],
      ],
    ],
    [' 3 1985', [['bday-day', 'Enter the day as a number from 1 to 31']]],
    ['  ', [['bday-day', 'Enter day, month and year of your birth']]],
    ['29 2 2001', [['bday-day', 'There is no such day. Check day, month and year']]],
    ['1 1 2999', [['bday-year', 'Enter a day in the past']]],
    ['1 1 1850', [['bday-year', 'Check the year: it is more than 120 years ago']]],
  ]

  test('is told by the field that is wrong', async () => {
    const { visitor } = await visitAt('birth')
    for (const [typed, errors] of cases) {
      const [day = '', month = '', year = ''] = typed.split(' ')
      await visitor.send({ 'bday-day': day, 'bday-month': month, 'bday-year': year })
      const { html } = visitor.last()
      expect([typed, errorsOf(html)]).toEqual([typed, errors])
      for (const [field, text] of errors) {
        expect(html).toContain(`<p class="error" id="${field}-error">${text}</p>`)
        expect(html).toMatch(
          new RegExp(`id="${field}"[^>]*aria-invalid="true"[^>]*describedby="${field}-error"`),
        )
      }
    }
    await visitor.send({ 'bday-day': '29', 'bday-month': '02', 'bday-year': '2000' })
    expect(visitor.last().heading).toBe('In which country do you live?')
  })
})

describe('an address', () => {
  const address = {
    'address-line1': '18 Juniper Lane',
    'address-level2': 'Larkspur Falls',
    'address-level1': 'OR',
    'postal-code': '97031',
  }

  test.each([
    ['OR', '97031-1234', 'OR', '97031'],
    ['or', '970311234', 'OR', '97031'],
    ['Oregon', '97031 1234', 'OR', '97031'],
    ['district of columbia', '20001', 'DC', '20001'],
  ])('takes state %s and ZIP code %s', async (state, zip, region, postal_code) => {
    const { visitor, ...opened } = await visitAt('address')
    await visitor.send({ ...address, 'address-level1': state, 'postal-code': zip })
    await answerAll(visitor)
    expect((await readAttempt(tenant, opened)).user.address).toMatchObject({ region, postal_code })
  })

  test.each([
    ['ZZ', '97031', ['address-level1']],
    ['', '97031', ['address-level1']],
    ['OR', '9703', ['postal-code']],
    ['OR', '97031-12', ['postal-code']],
    ['Ontario', '', ['address-level1', 'postal-code']],
  ])('takes no state %j with ZIP code %j', async (state, zip, fields) => {
    const { visitor } = await visitAt('address')
    await visitor.send({ ...address, 'address-level1': state, 'postal-code': zip })
    const errors = errorsOf(visitor.last().html)
    expect(errors.map(([field]) => field)).toEqual(fields)
    const [, text] = errors[0] ?? []
    expect(text).toMatch(/^Enter the (two letters of the state|five digits of the ZIP code)/)
  })

  test.each(['DE', 'GB', 'FR', 'CA'])('in %s needs its postal code', async (country) => {
    const { visitor } = await visitAt('address', { country })
    expect(visitor.last().html).toContain('>Postal code</label>')
    await visitor.send({ ...address, 'address-level1': '', 'postal-code': '' })
    expect(errorsOf(visitor.last().html)).toEqual([['postal-code', 'Enter the postal code']])
  })

  test.each(['HK', 'IE', 'AE'])('in %s needs none', async (country) => {
    const { visitor } = await visitAt('address', { country })
    expect(visitor.last().html).toContain('Postal code (optional)')
    await visitor.send({ ...address, 'address-level1': '', 'postal-code': '' })
    expect(visitor.last().heading).not.toBe('What is your home address?')
  })
})

test.each([
  ['en', 'Country: United States', 'Country: United Kingdom'],
  ['de', 'Land: Vereinigte Staaten', 'Land: Vereinigtes Königreich'],
])('names a country without a sentence around it: %s', async (language, us, gb) => {
  const { visitor } = await visitAt('number', { language })
  expect(visitor.last().html).toContain(`<p>${us}</p>`)
  const other = await visitAt('address', { language, country: 'GB' })
  expect(other.visitor.last().html).toContain(`<p>${gb}</p>`)
})

describe('what the client has told', () => {
  const user = {
    name: { given_name: 'Maren', family_name: 'Talvik' },
    date_of_birth: '1991-07-23',
    phone_number: '+14155550142',
    email_address: 'maren.talvik@example.com',
    id_number: { value: '900123456', type: 'us_ssn' as const },
  }
  const address = {
    street: '18 Juniper Lane',
    city: 'Larkspur Falls',
    region: 'OR',
    postal_code: '97031',
    country: 'US',
  }
  const whole = ['Talvik', '07-23', 'July', '5550142', 'maren.talvik', '900123456', 'Juniper']
  /** The labels of the page with the values. */
  const linesOf = (html: string) =>
    [...html.matchAll(/<dt>(.*?)<\/dt>\s*<dd>(.*?)<\/dd>/g)].map(([, ...parts]) => parts)

  test('is shown in part beside the answers, and cannot be changed there', async () => {
    const { path } = await startAt(tenant, ['kyc_check'], { user })
    const visitor = await visit(service, path)
    await answerAll(visitor, answersOf('Talvik'), 'answers')
    const { html } = visitor.last()
    const known = html.slice(html.indexOf('Already known'))
    expect(linesOf(known)).toEqual([
      ['Name', 'Maren T…'],
      ['Date of birth', 'In 1991'],
      ['Official number', 'Ends in 56'],
      ['Phone number', 'Ends in 42'],
      ['E-mail address', 'm…@example.com'],
    ])
    expect(known).not.toContain('>Change<')
    for (const text of whole.slice(0, 6)) expect(html).not.toContain(text)
  })

  test('is shown before the person agrees, where nothing is left to ask', async () => {
    const { path } = await startAt(tenant, ['accept_tos', 'kyc_check'], {
      user: { ...user, address },
    })
    const { html, heading } = (await visit(service, path)).last()
    expect(heading).toMatch(/^Verify your identity/)
    expect(linesOf(html)).toContainEqual(['Address', 'Larkspur Falls, United States'])
    expect(linesOf(html)).toHaveLength(6)
    for (const text of whole) expect(html).not.toContain(text)
  })

  test('is not shown where no data of the person is checked', async () => {
    const { path } = await startAt(tenant, ['accept_tos', 'selfie_check'], { user })
    expect((await visit(service, path)).last().html).not.toContain('Already known')
  })

  test('is not there where the client told nothing', async () => {
    const { path } = await startAt(tenant, ['kyc_check'])
    const visitor = await visit(service, path)
    await answerAll(visitor, answersOf('Talvik'), 'answers')
    expect(visitor.last().html).not.toContain('Already known')
  })
})
