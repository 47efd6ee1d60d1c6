import { describe, expect, test } from 'vitest'
import { hideSecrets } from '../../src/server/agents/hide-secrets.ts'
import { markOutside } from '../../src/server/agents/mark-outside.ts'

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

describe('a body', () => {
  test.each([
    ['access_token', token],
    ['refresh_token', 'svr-Umd2iCLuYk1I_OFexcp5y9=='],
    ['client_secret', 'a'],
    ['account', '1111222233330000'],
    ['account', 1111222233330000],
    ['routing', '011401533'],
    ['iban', 'GB29NWBK60161331926819'],
    ['hosted_link_url', 'https://a.example/'],
    ['shareable_url', 'https://a.example/'],
    ['id_number', { value: '123456789', type: 'us_ssn' }],
  ])('is shown without the value of %s', (field, value) => {
    const body = JSON.stringify({ numbers: [{ [field]: value, amount: 1 }], is_token: true })
    expect(hideSecrets(body)).toBe(
      JSON.stringify({ numbers: [{ [field]: '(masked)', amount: 1 }], is_token: true }),
    )
  })

  test('is shown without secrets in its other texts', () => {
    const body = JSON.stringify({ description: `paid by ${token}` })
    expect(hideSecrets(body)).toBe('{"description":"paid by access-sandbox-[redacted]"}')
  })

  test('is not shown if it cannot be read', () => {
    expect(hideSecrets('{"access_token":"access-sandb')).toBeNull()
    expect(hideSecrets(null)).toBeNull()
  })
})
