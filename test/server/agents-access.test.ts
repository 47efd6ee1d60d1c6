import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { agentToken, agentUrl, connectAgent, sendToAgents } from '../support/agents.ts'
import { type Body, startService, type Tenant, type TestService } from '../support/service.ts'
import { exchange, forSelf, newUser, revoke, signIn, tokensFor } from '../support/token-steps.ts'

/** What the newer protocol says with each message. */
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'a test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

let service: TestService
let tenant: Tenant
let now = Date.parse('2026-03-16T14:05:09Z')
beforeAll(async () => {
  service = await startService({ clock: () => now })
})
afterAll(() => service.close())
beforeEach(async () => {
  tenant = await service.tenant()
})

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
const ask = (token: string, message: unknown = list, to = service) =>
  sendToAgents(to, message, { Authorization: `Bearer ${token}` })
const call = (name: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: {} },
})
const challengeOf = ({ headers }: Response) => headers.get('www-authenticate')
const metadataUrl = () => `${service.url}/.well-known/oauth-protected-resource/mcp`

describe('the metadata of RFC 9728', () => {
  test('is where the challenge says, and names resource, server and scopes', async () => {
    const response = await sendToAgents(service, list)
    expect([response.status, challengeOf(response)]).toEqual([
      401,
      `Bearer scope="mcp:dashboard", resource_metadata="${metadataUrl()}"`,
    ])
    const metadata = await service.fetch(new Request(metadataUrl()))
    expect(await metadata.json()).toEqual({
      resource: agentUrl(service),
      resource_name: expect.any(String),
      authorization_servers: [service.url],
      scopes_supported: ['mcp:dashboard', 'mcp:sandbox'],
      bearer_methods_supported: ['header'],
      resource_documentation: `${service.url}/docs/guides/ask-it/`,
    })
  })
})

describe('a token is rejected', () => {
  const tokens: Record<string, () => Promise<string>> = {
    'that nobody has issued': async () => 'sva-AAAAAAAAAAAAAAAAAAAAAA==',
    'without the resource': async () => (await signIn(tenant, 'mcp:dashboard')).access_token,
    'for the server of somebody else': async () =>
      (
        await tokensFor(tenant, {
          grant_type: 'client_credentials',
          resource: 'https://lender.example.com/mcp',
        })
      ).access_token,
    'that is a refresh token': async () => {
      const resource = agentUrl(service)
      return (await tokensFor(tenant, { grant_type: 'client_credentials', resource })).refresh_token
    },
    'that is expired': async () => {
      const token = await agentToken(service, tenant)
      now += 901_000
      return token
    },
    'that is revoked': async () => {
      const token = await agentToken(service, tenant)
      await revoke(tenant, token)
      return token
    },
    'that stands for one user': async () => {
      const { user_token } = await newUser(tenant)
      const asked = exchange(forSelf, tenant.clientId, user_token)
      const resource = agentUrl(service)
      const { refresh_token } = await tokensFor(tenant, { ...asked, resource })
      const again = { grant_type: 'refresh_token', refresh_token, resource } as const
      return (await tokensFor(tenant, again)).access_token
    },
    'of a client that is disabled': async () => {
      const token = await agentToken(service, tenant)
      await service.service.database.transaction((db) =>
        db.run('update clients set disabled_at = $2 where client_id = $1', [
          tenant.clientId,
          '2026-03-16T14:05:09Z',
        ]),
      )
      return token
    },
  }

  test.each(Object.keys(tokens))('%s', async (which) => {
    const response = await ask((await tokens[which]?.()) ?? '')
    expect([response.status, challengeOf(response)]).toEqual([
      401,
      expect.stringMatching(/^Bearer error="invalid_token", .*resource_metadata="/),
    ])
    expect(await response.json()).toMatchObject({ error: 'invalid_token' })
  })

  test('that lacks the scope, with the scope that it needs', async () => {
    const response = await ask(await agentToken(service, tenant, 'user:read'))
    expect([response.status, challengeOf(response)]).toEqual([
      403,
      expect.stringMatching(/^Bearer error="insufficient_scope", .*scope="mcp:dashboard", /),
    ])
  })
})

describe('a tool that acts', () => {
  test('needs another scope, which its answer names', async () => {
    const response = await ask(await agentToken(service, tenant), call('advance_clock'))
    expect([response.status, challengeOf(response)]).toEqual([
      403,
      expect.stringMatching(/error="insufficient_scope", .*scope="mcp:dashboard mcp:sandbox", /),
    ])
  })

  test('is not listed without that scope', async () => {
    const agent = await connectAgent(service, await agentToken(service, tenant))
    expect((await agent.list()).map(({ name }) => name)).not.toContain('advance_clock')
  })
})

describe('a foreign page', () => {
  test('is rejected by its origin, whatever token it has', async () => {
    const token = await agentToken(service, tenant)
    const headers = { Authorization: `Bearer ${token}`, Origin: 'https://page.example' }
    expect((await sendToAgents(service, list, headers)).status).toBe(403)
  })

  test('is rejected by a host that was rebound', async () => {
    const token = await agentToken(service, tenant)
    const { statusCode } = await service.app.inject({
      method: 'POST',
      url: '/mcp',
      headers: {
        host: 'page.example',
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
      },
      payload: JSON.stringify(list),
    })
    expect(statusCode).toBe(403)
  })
})

describe('the protocol', () => {
  test.each(['GET', 'DELETE'] as const)('has no session that %s could be about', async (method) => {
    const token = await agentToken(service, tenant)
    const headers = { Authorization: `Bearer ${token}` }
    const response = await service.fetch(new Request(agentUrl(service), { method, headers }))
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
  })

  test('rejects headers that differ from the body', async () => {
    const token = await agentToken(service, tenant)
    const send = (method: string) =>
      sendToAgents(
        service,
        { ...list, params: { _meta: meta } },
        {
          Authorization: `Bearer ${token}`,
          'MCP-Protocol-Version': '2026-07-28',
          'Mcp-Method': method,
        },
      )
    expect((await send('tools/list')).status).toBe(200)
    expect((await send('tools/call')).status).toBe(400)
  })

  describe.each(['modern', 'older'] as const)('in the %s protocol', (era) => {
    test.each([
      ['subscriptions/listen', { notifications: { toolsListChanged: true } }, 'listen to'],
      ['resources/list', {}, 'has tools only'],
      ['resources/read', { uri: 'file:///a' }, 'has tools only'],
      ['resources/templates/list', {}, 'has tools only'],
      ['prompts/list', {}, 'has tools only'],
      ['prompts/get', { name: 'a' }, 'has tools only'],
      ['completion/complete', {}, 'has tools only'],
      ['none', {}, 'has tools only'],
    ])('has no method %s, and says so', async (method, params, words) => {
      const token = await agentToken(service, tenant)
      const Authorization = `Bearer ${token}`
      const name = 'uri' in params ? params.uri : 'name' in params ? params.name : undefined
      const modern = {
        'MCP-Protocol-Version': '2026-07-28',
        'Mcp-Method': method,
        ...(name === undefined ? {} : { 'Mcp-Name': name }),
      }
      const isModern = era === 'modern'
      const response = await sendToAgents(
        service,
        {
          jsonrpc: '2.0',
          id: 7,
          method,
          params: { ...params, ...(isModern ? { _meta: meta } : {}) },
        },
        { Authorization, ...(isModern ? modern : {}) },
      )
      if (isModern) expect(response.status).toBe(404)
      const text = (await response.text()).replace(/^.*data: /s, '')
      expect(JSON.parse(text)).toEqual({
        jsonrpc: '2.0',
        id: 7,
        error: { code: -32601, message: expect.stringMatching(/^Method not found: this server/) },
      })
      expect(text).toContain(words)
    })
  })

  test('takes a message of at most 128 KiB', async () => {
    const response = await ask(await agentToken(service, tenant), 'x'.repeat(128 * 1024 + 1))
    expect(response.status).toBe(413)
  })
})

describe('limits', () => {
  let limited: TestService
  beforeAll(async () => {
    limited = await startService({ rateLimits: 'sandbox', clock: () => now })
  })
  afterAll(() => limited.close())

  test('count the calls of all agents of a client together', async () => {
    const lender = await limited.tenant()
    const tokens = [await agentToken(limited, lender), await agentToken(limited, lender)]
    const statuses: number[] = []
    let last: Response | undefined
    for (let index = 0; index <= 300; index += 1) {
      last = await ask(tokens[index % 2] ?? '', list, limited)
      statuses.push(last.status)
    }
    expect(statuses.indexOf(429)).toBe(300)
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0)
    const other = await agentToken(limited, await limited.tenant())
    expect((await ask(other, list, limited)).status).toBe(200)
  })

  test('stop somebody who guesses tokens', async () => {
    const statuses: number[] = []
    // Each process counts by itself.
    for (let index = 0; index < 30 * limited.processes; index += 1) {
      statuses.push((await ask(`sva-${index}`, list, limited)).status)
    }
    expect(statuses.at(-1)).toBe(429)
  })
})

describe('production', () => {
  let production: TestService
  let agent: Awaited<ReturnType<typeof connectAgent>>
  let lender: Tenant
  beforeAll(async () => {
    production = await startService({ settings: { environment: 'production', reportDelayMs: 0 } })
    lender = await production.tenant()
    agent = await connectAgent(production, await agentToken(production, lender))
  })
  afterAll(() => production.close())

  test('has the tools that look, and no other', async () => {
    const names = (await agent.list()).map(({ name }) => name)
    expect([names.length, names.includes('create_item')]).toEqual([10, false])
    await expect(agent.call('advance_clock', { seconds: 1 })).rejects.toThrow(/no such tool/)
  })

  test('shows no body of a call', async () => {
    const { data } = await lender.api.dashboardUserList({ cursor: null })
    const id = data?.request_id ?? ''
    let answer = await agent.call('get_request', { id })
    for (let tries = 0; tries < 100 && answer.isError; tries += 1) {
      await new Promise((done) => setTimeout(done, 20))
      answer = await agent.call('get_request', { id })
    }
    const shown: Body | undefined = answer.content?.answer
    expect(shown).toMatchObject({ request_body: null, response_body: null, headers: [] })
  })
})
