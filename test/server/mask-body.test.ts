import { describe, expect, test } from 'vitest'
import { plainFields } from '../../generated/plain-fields.ts'
import { maskBody } from '../../src/server/pipeline/mask-body.ts'

const mask = (body: unknown) => JSON.parse(maskBody(JSON.stringify(body)) ?? 'null')

describe('a body that production stores', () => {
  test('keeps enums, switches, times and ids, and masks all else', () => {
    const account = {
      account_id: 'a1',
      name: 'Everyday',
      mask: '0000',
      subtype: 'checking',
      balances: { current: 110.5, iso_currency_code: 'USD', limit: null },
    }
    expect(mask({ accounts: [account], request_id: 'r1', has_more: false })).toEqual({
      accounts: [
        {
          account_id: 'a1',
          name: '(masked)',
          mask: '(masked)',
          subtype: 'checking',
          balances: { current: '(masked)', iso_currency_code: '(masked)', limit: null },
        },
      ],
      request_id: 'r1',
      has_more: false,
    })
  })

  test.each([
    'access_token',
    'account',
    'address',
    'city',
    'client_user_id',
    'date_of_birth',
    'email_address',
    'family_name',
    'gender',
    'iban',
    'id_number',
    'legal_name',
    'link_token',
    'phone_number',
    'postal_code',
    'public_token',
    'routing',
    'street',
    'value',
    'a_field_that_nobody_has_described',
  ])('masks %s, as a text, as a number and in a list', (field) => {
    const body = { [field]: 'Ada Prewitt 123', inner: { [field]: [4111, 'Ada'] } }
    expect(maskBody(JSON.stringify(body))).not.toMatch(/Ada|123|4111/)
  })

  test('masks a key that is no name, and lists and texts that stand alone', () => {
    const texts = [{ 'ada@lender.example.com': true }, ['Ada'], 'Ada', 4111]
    for (const one of texts) expect(maskBody(JSON.stringify(one))).not.toMatch(/ada|4111/i)
  })

  test('is left out where it is no JSON, since anything could stand in it', () => {
    expect(maskBody('secret=1')).toBeNull()
    expect(maskBody('')).toBeNull()
  })

  test('knows fields of all documents of production', () => {
    expect(plainFields).toEqual(expect.arrayContaining(['subtype', 'webhook_code', 'datetime']))
    expect(plainFields.length).toBeGreaterThan(100)
  })
})
