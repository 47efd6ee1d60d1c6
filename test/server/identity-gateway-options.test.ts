import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/server/config/config.ts'
import { ConfigError } from '../../src/server/config/read-option.ts'
import { productionKey } from '../support/production-key.ts'

const whole = {
  SERVICE_ENV: 'production',
  ENCRYPTION_KEY: productionKey,
  PUBLIC_URL: 'https://pay.example.com',
  IDENTITY_GATEWAY_URL: 'https://checks.example.com/identity/',
  IDENTITY_GATEWAY_STEPS: 'risk_check, verify_sms',
}
const read = (environment: Record<string, string | undefined>) => {
  const config = readConfig([], environment)
  return config === 'help' ? undefined : config.identityGateway
}

describe('the options of a gateway for identity checks', () => {
  test('are read together, and are off by default', () => {
    expect(read({})).toBeUndefined()
    expect(read(whole)).toEqual({
      url: 'https://checks.example.com/identity',
      steps: ['verify_sms', 'risk_check'],
      isPrivate: false,
    })
    const inside = { IDENTITY_GATEWAY_URL: 'http://10.0.0.7', IDENTITY_GATEWAY_PRIVATE: 'true' }
    expect(read({ ...whole, ...inside })).toMatchObject({ isPrivate: true })
  })

  test.each([
    [
      { IDENTITY_GATEWAY_URL: undefined },
      /^IDENTITY_GATEWAY_URL is required with IDENTITY_GATEWAY_STEPS$/,
    ],
    [
      { IDENTITY_GATEWAY_STEPS: undefined },
      /^IDENTITY_GATEWAY_STEPS is required with IDENTITY_GATEWAY_URL$/,
    ],
    [
      { IDENTITY_GATEWAY_STEPS: 'accept_tos' },
      /^IDENTITY_GATEWAY_STEPS must be steps with commas.*risk_check$/,
    ],
    [{ PUBLIC_URL: undefined }, /^PUBLIC_URL is required with IDENTITY_GATEWAY_URL/],
    [
      { IDENTITY_GATEWAY_URL: 'http://checks.example.com' },
      /^IDENTITY_GATEWAY_URL must be an https address/,
    ],
    [
      { IDENTITY_GATEWAY_URL: 'https://user:word@checks.example.com' },
      /must end with its host or a path$/,
    ],
    [{ SERVICE_ENV: 'sandbox' }, /^IDENTITY_GATEWAY_URL is an option of production/],
  ])('reject %o', (change, message) => {
    const attempt = () => read({ ...whole, ...change })
    expect(attempt).toThrow(ConfigError)
    expect(attempt).toThrow(message)
  })
})
