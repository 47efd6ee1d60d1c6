import { isLoopbackHost } from '../kernel/loopback.ts'
import { fail, type Read, readUrl } from './read-option.ts'

/** The identity provider that users of the dashboard sign in at. */
export interface ProviderConfig {
  issuer: string
  clientId: string
  clientSecret: string
}

const variables = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const

/** Undefined where none is configured. All three options belong together. */
export function readProvider(read: Read): ProviderConfig | undefined {
  const values = variables.map(read)
  if (values.every((value) => value === undefined)) return undefined
  const [issuer = '', clientId = '', clientSecret = ''] = variables.map(
    (variable, index) =>
      values[index] ?? fail(`${variable} is required with ${otherThan(variable, read)}`),
  )
  const base = readUrl(read, 'OIDC_ISSUER') ?? issuer
  const { protocol, hostname } = new URL(base)
  if (protocol === 'http:' && !isLoopbackHost(hostname)) {
    fail('OIDC_ISSUER must be an https address: plain http is for a provider on this machine')
  }
  if (!read('PUBLIC_URL')) {
    fail('PUBLIC_URL is required with OIDC_ISSUER: the provider sends browsers back to it')
  }
  // An issuer is compared as a text, so a slash at its end stays.
  return { issuer, clientId, clientSecret }
}

const otherThan = (missing: string, read: Read): string =>
  variables.find((variable) => variable !== missing && read(variable)) ?? 'OIDC_ISSUER'
