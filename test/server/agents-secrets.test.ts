import { afterAll, beforeAll, expect, test } from 'vitest'
import { tools } from '../../generated/tools.ts'
import { readyAccessToken } from '../../src/server/clients/well-known-clients.ts'
import { type AgentClient, agentToken, connectAgent } from '../support/agents.ts'
import { callEverything } from '../support/busy-day.ts'
import { noteIssued, noteStored, type Secrets, tells } from '../support/issued-secrets.ts'
import { type Body, startWorld, type Tenant } from '../support/service.ts'

// Everything that the tools answer on a busy day is searched for everything that they must not tell.

let service: Awaited<ReturnType<typeof startWorld>>
let tenant: Tenant
let secrets: Secrets
let agent: AgentClient
/** The answers of each tool, errors too. */
const answers = new Map<string, string[]>()

beforeAll(async () => {
  service = await startWorld({ checkAnswer: undefined })
  tenant = service.client
  secrets = noteIssued(service)
  await callEverything(service, tenant, 1)
  const token = await agentToken(service, tenant, 'mcp:dashboard mcp:sandbox')
  agent = await connectAgent(service, token)
  secrets.set(token, 'a token')
  await noteStored(service, secrets)
  await useAll()
}, 240_000)
afterAll(() => service.close())

async function call(name: string, args: Body = {}): Promise<Body> {
  const { isError, texts, content } = await agent.call(name, args)
  const told = [...texts, JSON.stringify(content ?? {})].join('\n')
  answers.set(name, [...(answers.get(name) ?? []), told])
  return isError ? {} : ((content?.answer ?? {}) as Body)
}

/** All entries of a list, page by page. */
async function listAll(name: string, list: string, filter: Body = {}): Promise<Body[]> {
  const entries: Body[] = []
  let cursor: unknown = null
  do {
    const page = await call(name, { ...filter, cursor, count: 100 })
    entries.push(...((page[list] as Body[] | undefined) ?? []))
    cursor = page['next_cursor'] ?? null
  } while (cursor !== null && entries.length < 2000)
  return entries
}

/** Calls every tool about everything that there is. */
async function useAll(): Promise<void> {
  await call('get_overview', { hours: 336 })
  for (const { request_id } of await listAll('search_requests', 'requests')) {
    await call('get_request', { id: request_id })
  }
  for (const { item_id } of await listAll('list_items', 'items')) {
    await call('debug_item', { text: item_id })
  }
  await call('debug_item', { text: readyAccessToken })
  const [webhook] = await listAll('list_webhook_deliveries', 'webhooks')
  const show = { show: 'all' }
  for (const { id } of await listAll('list_identity_verifications', 'verifications', show)) {
    await call('get_identity_verification', { identity_verification_id: id })
  }
  for (const query of ['rotate a secret', 'access token', 'account number', 'cookie']) {
    await call('search_docs', { query })
  }
  for (const operation of ['walletCreate', 'oauthToken', '/identity_verification/create']) {
    await call('get_operation', { operation })
  }
  await call('create_item', { institution_id: 'ins_109508', initial_products: ['auth'] })
  await call('redeliver_webhook', { webhook_id: webhook?.['webhook_id'] })
  await call('inject_error', { operation: '/wallet/get', delay_ms: 1 })
  await call('advance_clock', { seconds: 60 })
  // What the tools themselves have made.
  await noteStored(service, secrets)
}

test('every tool was asked, and enough was found to search', () => {
  expect([...answers.keys()].sort()).toEqual(tools.map(({ name }) => name).sort())
  const counts = Object.fromEntries([...answers].map(([name, all]) => [name, all.length]))
  expect(counts['get_request']).toBeGreaterThan(100)
  expect(counts['debug_item']).toBeGreaterThan(3)
  expect(counts['get_identity_verification']).toBeGreaterThan(3)
})

test.each([
  ['a token', 10],
  ['a secret of a client', 1],
  ['the link of a hosted page', 1],
  ['the key of a hosted page', 1],
  ['a number of an account', 10],
  ['a social security number', 1],
  ['a national number', 3],
  ['the key of a dashboard link', 1],
  ['a key that signs webhooks', 1],
  ['a cookie', 3],
])('there is %s to find', (kind, least) => {
  const found = [...secrets.values()].filter((one) => one === kind)
  expect(found.length).toBeGreaterThanOrEqual(least)
})

test('no tool tells any of them', () => {
  // The credentials, the token and the routing number that the docs name are known to everybody.
  const isKnown = (secret: string, tool: string) =>
    ['search_docs', 'get_operation'].includes(tool) &&
    [tenant.secret, readyAccessToken, '021000021'].includes(secret)
  const told = [...answers].flatMap(([tool, all]) =>
    [...secrets]
      .filter(([secret]) => !isKnown(secret, tool) && all.some((text) => tells(text, secret)))
      .map(([secret, kind]) => `${tool} tells ${kind}: ${secret}`),
  )
  expect(told).toEqual([])
})

test('no tool tells what has the form of a secret', () => {
  const forms = [
    /\b(?:access|public|assets|user|link)-(?:sandbox|production)-[0-9a-f]{8}-/,
    /\bsv[ar]-[\w-]{22}==/,
    /\b[0-9a-f]{64}\b/,
    /\b\d{3}-\d{2}-\d{4}\b/,
    /"d":"[\w-]{40,}"/,
  ]
  const others = [...answers].filter(([tool]) => !['search_docs', 'get_operation'].includes(tool))
  const told = others.flatMap(([tool, all]) =>
    forms
      .flatMap((form) => all.flatMap((text) => form.exec(text)?.[0] ?? []))
      .map((found) => [tool, found]),
  )
  expect(told).toEqual([])
})
