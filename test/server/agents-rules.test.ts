import { describe, expect, test } from 'vitest'
import { markOutside } from '../../src/server/agents/mark-outside.ts'
import { showBody } from '../../src/server/agents/show-body.ts'

const token = 'access-sandbox-00000000-0000-4000-8000-000000000001'

describe('the texts from outside', () => {
  test('are all but those that only the service chooses', () => {
    const answer = {
      item_id: 'a',
      status: 'failed',
      client_user_id: 'b',
      accounts: [{ name: 'c', type: 'depository', current: 1, mask: null }],
      'a/b~c': 'd',
    }
    expect(markOutside(answer, ['status']).places).toEqual([
      '/client_user_id',
      '/accounts/0/name',
      '/a~1b~0c',
    ])
    expect(markOutside(answer, []).places).toContain('/status')
  })

  test('have no secrets', () => {
    const { answer } = markOutside({ error: `wrong ${token}`, url: 'https://a.example/?k=1' }, [])
    expect(answer).toEqual({
      error: 'wrong access-sandbox-[redacted]',
      url: 'https://a.example/?[redacted]',
    })
  })

  test('are cut where they are long', () => {
    const { answer } = markOutside({ name: 'x'.repeat(20_005) }, [])
    expect(answer).toEqual({ name: `${'x'.repeat(20_000)}… (5 more characters)` })
  })
})

describe('a number in a text', () => {
  test.each([
    '31926819 sort 60-16-13',
    'acct123456789012',
    'No.123456789012.5',
    '1234-5678-9012',
    '4111.1111.1111.1111',
    '12 34 56 78 90 12',
    '１２３４５６７８',
  ])('is hidden: %s', (name) => {
    const { answer } = markOutside({ name }, [])
    expect(JSON.stringify(answer)).not.toMatch(/[\d１-８]{4}/)
  })

  test.each([
    '2026-03-16T14:05:09Z',
    'from 2026-03-16 to 2026-04-01',
    'http://192.168.100.200:4002/a',
  ])('stays: %s', (name) => {
    expect(markOutside({ name }, []).answer).toEqual({ name })
  })
})

describe('a body', () => {
  test.each([
    ['access_token', token],
    ['refresh_token', 'svr-Umd2iCLuYk1I_OFexcp5y9=='],
    ['client_secret', 'a'],
    ['clientSecret', 'a'],
    ['SERVICE_SECRET', 'a'],
    ['cardNumber', 4111111111111111],
    ['account', 1111222233330000],
    ['routing', '011401533'],
    ['iban', 'GB29NWBK60161331926819'],
    ['hosted_link_url', 'https://a.example/'],
    ['family_name', 'Prewitt'],
    ['date_of_birth', '1958-09-02'],
  ])('is shown without the value of %s', (field, value) => {
    const body = JSON.stringify({ numbers: [{ [field]: value, pending: true }], is_token: true })
    expect(showBody(body, '/accounts/get')).toBe(
      JSON.stringify({ numbers: [{ [field]: '(masked)', pending: true }], is_token: true }),
    )
  })

  test('has the words of accounts and transactions, without secrets and numbers', () => {
    const body = JSON.stringify({ name: `paid by ${token} to 12345678`, amount: 12.5 })
    const shown = '{"name":"paid by access-sandbox-[redacted] to [redacted]","amount":12.5}'
    expect(showBody(body, '/transactions/sync')).toBe(shown)
    for (const path of ['/user/create', '/wallet/create', '/sandbox/identity/accounts/get']) {
      expect(showBody(body, path)).toBe('{"name":"(masked)","amount":"(masked)"}')
    }
  })

  test('is shown without names of fields that are none', () => {
    expect(showBody('{"4111111111111111":1}', '/accounts/get')).toBe('{"(masked)":"(masked)"}')
  })

  test('that cannot be read is not shown, which is said', () => {
    expect(showBody('{"access_token":"access-sandb', '/a')).toMatch(/^\(not shown: /)
    expect(showBody(null, '/a')).toBeNull()
  })
})
