import type { SimplefinSettings } from '../../../../generated/institution-list/types.ts'
import type { ProtocolContext } from '../protocol.ts'
import { AuthorizationFailed, SourceFailed } from '../source-failed.ts'

/** Of a setup token and of an access address, in characters. */
export const longest = 4096

/** Exchanges a setup token for the access address. A token works once. */
export async function claim(ctx: ProtocolContext, token: string): Promise<string> {
  const url = toClaimAddress(token)
  requireListed(ctx, url)
  const { status, body } = await ctx.call({ method: 'POST', url })
  if (status === 403 || status === 404 || status === 410) {
    throw new AuthorizationFailed('used', 'the setup token was used before, or does not exist')
  }
  if (status !== 200) throw new SourceFailed('outage', `the claim was answered with ${status}`)
  const text = new TextDecoder().decode(body.subarray(0, longest)).trim()
  if (!URL.canParse(text)) throw new SourceFailed('outage', 'the claim gave no access address')
  const access = new URL(text)
  requireListed(ctx, access)
  if (access.username === '') {
    throw new SourceFailed('outage', 'the access address has no credentials')
  }
  return access.href
}

/** The address in a setup token, which is Base64. People paste it with spaces and line breaks. */
function toClaimAddress(token: string): URL {
  const joined = token.replaceAll(/\s/g, '')
  const isBase64 = joined.length <= longest && /^[A-Za-z0-9+/_-]+={0,2}$/.test(joined)
  const text = isBase64 ? Buffer.from(joined, 'base64').toString('utf8').trim() : ''
  if (!URL.canParse(text)) {
    throw new AuthorizationFailed(
      'malformed',
      'the setup token must be the whole text of SimpleFIN',
    )
  }
  return new URL(text)
}

/** A token of a stranger must not make the service call other hosts. */
export function requireListed({ settings }: ProtocolContext, { protocol, host }: URL): void {
  const { hosts } = settings as SimplefinSettings
  const isWeb = protocol === 'https:' || protocol === 'http:'
  if (isWeb && hosts.includes(host)) return
  throw new AuthorizationFailed(
    'foreign_host',
    'the setup token is of a server that the institution does not list',
  )
}
