import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findToken } from '../../src/server/tokens/store.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'
import {
  ask,
  exchange,
  forClient,
  granted,
  signIn,
  tokensFor,
  use,
} from '../support/token-steps.ts'

let service: TestService
let production: TestService
let tenant: Tenant
beforeAll(async () => {
  service = await startService()
  production = await startService({ settings: { environment: 'production', reportDelayMs: 0 } })
  tenant = await service.tenant()
})
afterAll(async () => {
  await service.close()
  await production.close()
})

const grant_type = 'client_credentials'
const ours = () => `${service.url}/mcp`

const rowOf = (token: string) =>
  service.service.database.read((db) => findToken(db, service.service.keys.hash(token)))

const forAgents = (scope?: string) =>
  tokensFor(tenant, { grant_type, resource: ours(), ...(scope ? { scope } : {}) })

describe('a token with the resource of agents', () => {
  test('keeps it, and so do tokens by its refresh token', async () => {
    const first = await forAgents()
    expect((await rowOf(first.access_token))?.resource).toBe(ours())
    const { refresh_token } = first
    const again = await tokensFor(tenant, { grant_type: 'refresh_token', refresh_token })
    expect((await rowOf(again.access_token))?.resource).toBe(ours())
    expect((await rowOf(again.refresh_token))?.resource).toBe(ours())
  })

  test('is rejected by the operations, which accept one without it', async () => {
    expect(await use(tenant, (await forAgents()).access_token)).toBe(401)
    expect(await use(tenant, (await signIn(tenant)).access_token)).toBe(200)
  })

  test('cannot be exchanged for a token without it', async () => {
    const other = await service.tenant()
    const { refresh_token } = await forAgents('exchange user:read')
    const { error } = await ask(tenant, exchange(forClient, other.clientId, refresh_token))
    expect(error).toMatchObject({ error_code: 'invalid_grant' })
  })

  test('keeps its resource when a refresh names another one', async () => {
    const { refresh_token } = await forAgents()
    const resource = 'https://lender.example.com/'
    const { error } = await ask(tenant, { grant_type: 'refresh_token', refresh_token, resource })
    expect(error).toMatchObject({ error_code: 'invalid_request' })
  })
})

describe('a resource of somebody else', () => {
  test('has no effect', async () => {
    const resource = 'https://lender.example.com/'
    const { access_token } = await tokensFor(tenant, { grant_type, resource })
    expect((await rowOf(access_token))?.resource).toBeNull()
    expect(await use(tenant, access_token)).toBe(200)
  })

  test('is rejected beside a scope of agents, with the address that is expected', async () => {
    const resource = `${ours()}/`
    const { error } = await ask(tenant, { grant_type, scope: 'mcp:dashboard', resource })
    expect(error).toMatchObject({ error_code: 'invalid_request' })
    expect(error?.message).toContain(`must be \`${ours()}\``)
  })
})

describe('the scope `mcp:sandbox`', () => {
  test('is granted only to a client that names it', async () => {
    const scopesOf = async (scope?: string) =>
      (await granted(service, tenant, (await signIn(tenant, scope)).access_token)).scopes
    expect(await scopesOf()).not.toContain('mcp:sandbox')
    expect(await scopesOf('mcp:dashboard mcp:sandbox')).toEqual(['mcp:dashboard', 'mcp:sandbox'])
  })

  test('stays with a refresh that names no scope', async () => {
    const { refresh_token } = await signIn(tenant, 'mcp:sandbox')
    const { access_token } = await tokensFor(tenant, {
      grant_type: 'refresh_token',
      refresh_token,
    })
    expect((await granted(service, tenant, access_token)).scopes).toEqual(['mcp:sandbox'])
  })

  test('is kept from a client that may not look', async () => {
    const blind = await service.tenant(['user:read'])
    const { error } = await ask(blind, { grant_type, scope: 'mcp:sandbox' })
    expect(error).toMatchObject({ error_code: 'invalid_scope' })
  })

  test('does not exist in production', async () => {
    const lender = await production.tenant()
    const { error } = await ask(lender, { grant_type, scope: 'mcp:sandbox' })
    expect(error).toMatchObject({ error_code: 'invalid_scope' })
    const metadata = await production.fetch(
      new Request(`${production.url}/.well-known/oauth-authorization-server`),
    )
    expect(await metadata.json()).toMatchObject({
      scopes_supported: ['user:read', 'user:write', 'exchange', 'mcp:dashboard'],
    })
  })
})
