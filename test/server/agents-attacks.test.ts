import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../../generated/dashboard/operations.ts'
import { tools } from '../../generated/tools.ts'
import { agentToken, agentUrl, connectAgent, sendToAgents } from '../support/agents.ts'
import { signIn } from '../support/dashboard-browser.ts'
import { createBank, link } from '../support/items-fixtures.ts'
import { type Body, startService, type Tenant, type TestService } from '../support/service.ts'
import { ask, tokensFor } from '../support/token-steps.ts'

// What somebody tries who holds too little, or sends what no client of the protocol would send.

let service: TestService
let tenant: Tenant
let token: string
const faults: unknown[] = []
beforeAll(async () => {
  const error = (fault: unknown) => faults.push(fault)
  service = await startService({ log: { info: () => {}, error } })
  tenant = await service.tenant()
  token = await agentToken(service, tenant, 'mcp:dashboard mcp:sandbox')
})
afterAll(async () => {
  await service.close()
  expect(faults).toEqual([])
})

const send = (message: unknown, as = token) =>
  sendToAgents(service, message, { Authorization: `Bearer ${as}` })
const call = (name: unknown, args: unknown, id = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
})
/** The message of an answer, which the older protocol sends as a stream. */
const messageOf = async (response: Response): Promise<Body> =>
  JSON.parse((await response.text()).replace(/^[\s\S]*?data: /, ''))

/** The result of a call, or its error. */
async function resultOf(name: unknown, args: unknown) {
  const { result, error } = (await messageOf(await send(call(name, args)))) as {
    result?: { isError?: boolean; content: { text: string }[] }
    error?: { code: number; message: string }
  }
  const { error_code: code } = result?.isError ? JSON.parse(result.content[0]?.text ?? '') : {}
  return { ran: result !== undefined && !result.isError, code, error }
}

const clockOf = async () => Date.parse((await tenant.control('sandboxClockGet', {})).now)

const audited = () =>
  service.service.database.read((db) =>
    db.all<{ action: string; subject: string | null; details: string }>(
      `select action, subject, details from audit_log
        where client_id = $1 order by audit_id desc limit 1`,
      [tenant.clientId],
    ),
  )

describe('without a token for agents', () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

  test('a session of the dashboard opens nothing', async () => {
    const user = await signIn(service, { client_id: tenant.clientId, role: 'admin' })
    const headers = { Cookie: user.cookie, Origin: service.url, 'Sec-Fetch-Site': 'same-origin' }
    expect((await sendToAgents(service, list, headers)).status).toBe(401)
  })

  test('the secret of a client opens nothing', async () => {
    const basic = Buffer.from(`${tenant.clientId}:${tenant.secret}`).toString('base64')
    for (const headers of [
      { Authorization: `Basic ${basic}` },
      { Authorization: `Bearer ${tenant.secret}` },
      { 'SERVICE-CLIENT-ID': tenant.clientId, 'SERVICE-SECRET': tenant.secret },
    ]) {
      expect((await sendToAgents(service, list, headers as never)).status).toBe(401)
    }
  })

  test('a token in the address or in the body is not read', async () => {
    const address = `${agentUrl(service)}?access_token=${token}`
    const body = JSON.stringify({ ...list, access_token: token })
    const headers = { 'Content-Type': 'application/json' }
    const request = new Request(address, { method: 'POST', headers, body })
    expect((await service.fetch(request)).status).toBe(401)
  })

  test('two tokens in one header are none', async () => {
    expect((await send(list, `${token}, Bearer ${token}`)).status).toBe(401)
  })
})

describe('a token for agents', () => {
  test('opens nothing of the dashboard', async () => {
    const headers = { Authorization: `Bearer ${token}`, 'Sec-Fetch-Site': 'same-origin' }
    for (const { path } of [operations.dashboardOverviewGet, operations.dashboardClientList]) {
      const { status } = await tenant.post(path, {}, headers)
      expect([path, status]).toEqual([path, 401])
    }
  })

  test('cannot get the scope to act by a refresh', async () => {
    const resource = agentUrl(service)
    const grant_type = 'client_credentials'
    const { refresh_token } = await tokensFor(tenant, {
      grant_type,
      resource,
      scope: 'mcp:dashboard',
    })
    const scope = 'mcp:dashboard mcp:sandbox'
    const { error } = await ask(tenant, { grant_type: 'refresh_token', refresh_token, scope })
    expect(error).toMatchObject({ error_code: 'invalid_scope' })
  })

  test('is not refreshed by another client', async () => {
    const { refresh_token } = await tokensFor(tenant, {
      grant_type: 'client_credentials',
      resource: agentUrl(service),
    })
    const other = await service.tenant()
    const { error } = await ask(other, { grant_type: 'refresh_token', refresh_token })
    expect(error).toMatchObject({ error_code: 'invalid_grant' })
  })
})

describe('a message', () => {
  test('with a batch of calls is rejected, and none of them runs', async () => {
    const before = await clockOf()
    const reading = await agentToken(service, tenant)
    const calls = [1, 2].map((id) => call('advance_clock', { seconds: 86_400 }, id))
    for (const [as, body] of [
      [token, JSON.stringify(calls)],
      [reading, ` \n${JSON.stringify(calls)}`],
      [token, `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
    ] as const) {
      const response = await send(body, as)
      expect([response.status, await response.json()]).toMatchObject([
        400,
        { error: { code: -32600, message: expect.stringContaining('no batches') } },
      ])
    }
    expect((await clockOf()) - before).toBeLessThan(86_400_000)
  })

  test('without an id is no call', async () => {
    const before = await clockOf()
    const { id: _id, ...message } = call('advance_clock', { seconds: 86_400 })
    expect((await send(message)).status).toBe(202)
    expect((await clockOf()) - before).toBeLessThan(86_400_000)
  })

  test('that names its tool twice needs the scope of the tool that would run', async () => {
    const reading = await agentToken(service, tenant)
    const twice = `"name":"list_items","name":"advance_clock"`
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{${twice},"arguments":{"seconds":0}}}`
    expect((await send(body, reading)).status).toBe(403)
  })

  test('that is nested deeply breaks nothing', async () => {
    const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_items","arguments":${deep}}}`
    expect((await send(body)).status).toBeLessThan(500)
  })

  test.each(['__proto__', 'constructor', 'toString', '', 5, null, ['advance_clock'], {}])(
    'that calls the tool %j is an error of the protocol',
    async (name) => {
      expect((await resultOf(name, {})).error?.code).toBe(-32602)
    },
  )
})

describe('the fields of a tool', () => {
  test.each(['text', [], [1], 5, true, null])('cannot be %j', async (args) => {
    expect((await resultOf('list_items', args)).error?.code).toBe(-32602)
  })

  test('cannot be set by a prototype', async () => {
    const { data } = await tenant.api.dashboardUserList({})
    const fields = `{"__proto__":{"id":"${data?.request_id}"},"constructor":{}}`
    const answer = await resultOf('get_request', JSON.parse(fields))
    expect([answer.ran, answer.code]).toEqual([false, 'UNKNOWN_FIELDS'])
    const only = `{"__proto__":{"id":"${data?.request_id}"}}`
    const body = JSON.stringify(call('get_request', 0)).replace(
      '"arguments":0',
      `"arguments":${only}`,
    )
    expect(await (await send(body)).text()).toContain('MISSING_FIELDS')
  })

  const wrong = [-1, 1.5, 1e300, '\u0000', 'x'.repeat(5000), ['x'], { $ne: 1 }, true]
  const filled: Record<string, Body> = {
    create_item: { institution_id: 'ins_109508', initial_products: ['transactions'] },
  }
  const fields = tools.flatMap(({ name, input }) =>
    Object.keys(input.properties).map((field) => [name, field] as const),
  )

  test.each(fields)('%s says what is wrong with a bad %s', async (name, field) => {
    for (const value of wrong) {
      const { ran, code, error } = await resultOf(name, { ...filled[name], [field]: value })
      // `drop` takes true, and some other value may be a good one.
      if (ran) continue
      expect([value, error]).toEqual([value, undefined])
      expect(code).toMatch(
        /^(INVALID_(FIELD|BODY|INSTITUTION)|MISSING_FIELDS|UNKNOWN_FIELDS|OBJECT_NOT_FOUND)$/,
      )
    }
  })
})

describe('a call that is rejected', () => {
  test.each([
    ['list_items', { count: 0 }, 'INVALID_FIELD'],
    ['list_items', { client_id: 'other' }, 'UNKNOWN_FIELDS'],
    ['debug_item', { text: 'access-sandbox-0' }, 'OBJECT_NOT_FOUND'],
  ])('is in the audit log: %s %j', async (name, args, rejected) => {
    expect((await resultOf(name, args)).ran).toBe(false)
    const [row] = await audited()
    expect(row).toMatchObject({ action: `agent.${name.replace('_', '-')}`, subject: null })
    expect(JSON.parse(row?.details ?? '')).toMatchObject({ rejected })
  })

  test('for its scope is there, too', async () => {
    await send(call('advance_clock', { seconds: 1 }), await agentToken(service, tenant))
    const [row] = await audited()
    expect(row?.action).toBe('agent.advance-clock')
    expect(JSON.parse(row?.details ?? '')).toMatchObject({ rejected: 'insufficient_scope' })
  })

  test('brings no secret into the audit log by a field that names an object', async () => {
    const secret = 'access-sandbox-00000000-0000-4000-8000-000000000001'
    await resultOf('redeliver_webhook', { webhook_id: secret })
    const [row] = await audited()
    expect(row).toMatchObject({
      action: 'agent.redeliver-webhook',
      subject: 'access-sandbox-[redacted]',
    })
  })
})

describe('the objects of another client', () => {
  test('are found by no tool, and changed by none', async () => {
    const other = await service.tenant()
    const webhook = 'http://127.0.0.1:9/'
    const item = await link(other, {
      institution_id: await createBank(other),
      initial_products: ['transactions'],
      options: { webhook } as never,
    })
    await other.control('sandboxClockAdvance', { seconds: 0 })
    const { webhooks } = await other.control('sandboxWebhookList', {})
    for (const [name, args] of [
      ['debug_item', { text: item.item_id }],
      ['debug_item', { text: item.access_token }],
      ['redeliver_webhook', { webhook_id: webhooks[0]?.webhook_id }],
      ['create_item', { institution_id: await createBank(other), initial_products: ['auth'] }],
    ] as const) {
      const { ran, code } = await resultOf(name, args)
      expect([name, ran, code]).toEqual([
        name,
        false,
        expect.stringMatching(/^(OBJECT_NOT_FOUND|INVALID_FIELD|INVALID_INSTITUTION)$/),
      ])
    }
    const agent = await connectAgent(service, token)
    for (const [name, args] of [
      ['search_requests', { item_id: item.item_id }],
      ['list_webhook_deliveries', { item_id: item.item_id }],
    ] as const) {
      const lists = Object.values((await agent.call(name, args)).content?.answer ?? {})
      expect(lists.filter(Array.isArray)).toEqual([[]])
    }
  })
})

test('many requests at once are all answered', async () => {
  const answers = await Promise.all(
    Array.from({ length: 100 }, async (_, id) => messageOf(await send(call('list_items', {}, id)))),
  )
  expect(answers.map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, id) => id))
  expect(answers.filter(({ result }) => result === undefined)).toEqual([])
}, 60_000)
