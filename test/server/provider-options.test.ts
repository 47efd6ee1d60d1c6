import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/server/config/config.ts'
import { ConfigError } from '../../src/server/config/read-option.ts'
import { withSecretFiles } from '../../src/server/config/secret-files.ts'

const whole = {
  OIDC_ISSUER: 'https://login.example.com/realms/staff',
  OIDC_CLIENT_ID: 'dashboard',
  OIDC_CLIENT_SECRET: 'a-client-secret',
  PUBLIC_URL: 'https://pay.example.com',
}
const read = (environment: Record<string, string | undefined>) => {
  const config = readConfig([], withSecretFiles(environment))
  return config === 'help' ? undefined : config.provider
}

describe('the options of an identity provider', () => {
  test('are read together, and are off by default', () => {
    expect(read({})).toBeUndefined()
    expect(read(whole)).toEqual({
      issuer: whole.OIDC_ISSUER,
      clientId: 'dashboard',
      clientSecret: 'a-client-secret',
    })
    expect(read({ ...whole, OIDC_ISSUER: 'http://127.0.0.1:8080' })?.issuer).toMatch(/^http:/)
  })

  test.each([
    ['OIDC_CLIENT_ID', /^OIDC_CLIENT_ID is required with OIDC_ISSUER$/],
    ['OIDC_CLIENT_SECRET', /^OIDC_CLIENT_SECRET is required with OIDC_ISSUER$/],
    ['OIDC_ISSUER', /^OIDC_ISSUER is required with OIDC_CLIENT_ID$/],
    ['PUBLIC_URL', /^PUBLIC_URL is required with OIDC_ISSUER: the provider sends/],
  ])('are rejected without %s', (missing, message) => {
    const attempt = () => read({ ...whole, [missing]: undefined })
    expect(attempt).toThrow(ConfigError)
    expect(attempt).toThrow(message)
  })

  test.each([
    ['login.example.com', /^OIDC_ISSUER must be an http or https address$/],
    ['https://login.example.com/?realm=a', /^OIDC_ISSUER must end with its host or a path$/],
    ['https://user:word@login.example.com', /^OIDC_ISSUER must end with its host or a path$/],
    ['http://login.example.com', /^OIDC_ISSUER must be an https address/],
  ])('reject the issuer %s', (OIDC_ISSUER, message) => {
    expect(() => read({ ...whole, OIDC_ISSUER })).toThrow(message)
  })

  test('do not repeat the secret', () => {
    const given = { ...whole, OIDC_CLIENT_SECRET_FILE: '/tmp/none' }
    expect(() => read(given)).toThrow(/cannot be used together$/)
    expect(() => read(given)).not.toThrow(/a-client-secret/)
  })
})
