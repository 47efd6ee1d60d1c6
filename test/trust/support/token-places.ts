import type { Tenant, TestService } from '../../support/service.ts'
import {
  exchange,
  forClient,
  forParties,
  forSelf,
  refresh,
  revoke,
  signIn,
  tokensFor,
  use,
} from '../../support/token-steps.ts'

/** Which client's id and secret stand where. */
interface Placed {
  headerId?: Tenant | undefined
  headerSecret?: Tenant | undefined
  basic?: Tenant | undefined
  bodyId?: Tenant | undefined
  bodySecret?: Tenant | undefined
}

/** The status of asking for a token with credentials in these places. */
export async function askWith(service: TestService, of: Placed): Promise<number> {
  const headers: Record<string, string> = { 'Content-Type': 'application/json' }
  if (of.headerId) headers['SERVICE-CLIENT-ID'] = of.headerId.clientId
  if (of.headerSecret) headers['SERVICE-SECRET'] = of.headerSecret.secret
  if (of.basic)
    headers['Authorization'] = `Basic ${btoa(`${of.basic.clientId}:${of.basic.secret}`)}`
  const body = {
    grant_type: 'client_credentials',
    ...(of.bodyId ? { client_id: of.bodyId.clientId } : {}),
    ...(of.bodySecret ? { client_secret: of.bodySecret.secret } : {}),
  }
  const request = new Request(`${service.url}/oauth/token`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  return (await service.fetch(request)).status
}

let users = 0

export async function newUserOf(tenant: Tenant) {
  users += 1
  const { data } = await tenant.api.userCreate({ client_user_id: `user-${users}` })
  if (!data) throw new Error('no user')
  return data
}

/** One token of every kind, of a client. */
export async function tokensOf(tenant: Tenant, state: 'fresh' | 'revoked' | 'of a revoked parent') {
  const first = await signIn(tenant)
  const pair =
    state === 'of a revoked parent'
      ? await tokensFor(tenant, { grant_type: 'refresh_token', refresh_token: first.refresh_token })
      : first
  if (state !== 'fresh') await revoke(tenant, first.refresh_token)
  const { user_token } = await newUserOf(tenant)
  if (state !== 'fresh') await revoke(tenant, user_token)
  return { access: pair.access_token, refresh: pair.refresh_token, user: user_token }
}

export const belonging = { access: 'as bearer', refresh: 'as refresh token', user: 'for oneself' }

/** Everywhere that a token can be presented. */
export const places = ([, other, third]: readonly [Tenant, Tenant, Tenant]): Record<
  string,
  (holder: Tenant, token: string) => Promise<number>
> => ({
  'as bearer': use,
  'as refresh token': async (holder, token) => (await refresh(holder, token)).response.status,
  'for oneself': async (holder, token) =>
    (await holder.api.oauthToken(exchange(forSelf, holder.clientId, token))).response.status,
  'for a client': async (holder, token) =>
    (
      await holder.api.oauthToken(
        exchange(forClient, (holder === other ? third : other).clientId, token),
      )
    ).response.status,
  'for parties': async (holder, token) =>
    (await holder.api.oauthToken(exchange(forParties, holder.clientId, token))).response.status,
  'as user token': async (holder, token) => {
    const { status, body } = await holder.post('/asset_report/get', { user_token: token })
    // The user has no report yet, which only its own token can read.
    return body['error_code'] === 'PRODUCT_NOT_READY' ? 201 : status
  },
  'as access token of an Item': async (holder, token) =>
    (await holder.post('/accounts/get', { access_token: token })).status,
})

/** Tokens that differ from one in as little as can be. */
export function nearly(token: string): string[] {
  const swapped = [...token].map((letter, index) => {
    const other = /[a-z]/.test(letter) ? letter.toUpperCase() : letter === 'A' ? 'B' : 'A'
    return token.slice(0, index) + other + token.slice(index + 1)
  })
  const whole = [
    token.slice(0, -1),
    token.slice(1),
    `${token}=`,
    `${token} `,
    ` ${token}`,
    `${token}\0`,
    token.toLowerCase(),
    token.toUpperCase(),
    token.replace('sva-', 'svr-'),
    token.replace('svr-', 'sva-'),
    token.replace(/^\w+-/, ''),
    `${token}${token}`,
    token.replaceAll('=', ''),
    token.replaceAll('=', '%3D'),
    encodeURIComponent(token),
    '%',
    '_',
    '',
    "' or '1'='1",
    token.normalize('NFKD').split('').reverse().join(''),
  ]
  return [...new Set([...swapped, ...whole])].filter(
    (guess) =>
      guess !== token && !/[^\x20-\x7e]/.test(guess) && guess.trim() === guess && guess !== '',
  )
}
