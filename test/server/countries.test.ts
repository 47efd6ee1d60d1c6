import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isCountry } from '../../src/server/kernel/countries.ts'
import { startWorld, type TestService } from '../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startWorld()
})
afterAll(() => service.close())

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const codes = letters.flatMap((first) => letters.map((second) => first + second))

describe('isCountry', () => {
  test('knows as many codes as ISO 3166-1 assigns', () => {
    expect(codes.filter(isCountry)).toHaveLength(249)
  })

  test.each(['UK', 'EU', 'XK', 'AN', 'AC', 'IC', 'ZZ', 'us'])('knows no %s', (code) => {
    expect(isCountry(code)).toBe(false)
  })
})

describe('the country of a user', () => {
  test.each([
    ['GB', 200],
    ['XK', 400],
    ['UK', 400],
  ])('%s is answered with %d', async (country, expected) => {
    const { status } = await (await service.tenant()).post('/identity_verification/create', {
      client_user_id: 'borrower-1',
      template_id: 'idvtmp_00000000000kyc',
      is_shareable: false,
      gave_consent: true,
      user: { address: { country } },
    })
    expect(status).toBe(expected)
  })
})
