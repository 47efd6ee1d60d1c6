import { afterEach, beforeEach } from 'vitest'
import type { Connector } from '../../src/connector/index.ts'
import { listBuiltInInstitutions } from '../../src/server/operator/apply-institutions.ts'
import {
  findPullOf,
  type HarborBank,
  harborConnector,
  password,
  startHarborBank,
} from './harbor-bank.ts'
import { createVisitor, linkRequest } from './link-visitor.ts'
import { startService, type Tenant, type TestService } from './service.ts'

// What the tests of a connector that an option loads share: its bank, and a service that has loaded it.

export const institutionId = 'ins_harbor'
export let bank: HarborBank
export let service: TestService
export let tenant: Tenant
export let now: number
export let logged: string[]
export let connectors: Map<string, Connector>

/** Starts the bank before each test; a test loads a connector to it. */
export function startHarborBeforeEach(): void {
  beforeEach(start)
  afterEach(end)
}

async function start(): Promise<void> {
  bank = await startHarborBank()
  now = Date.parse('2026-03-16T12:00:00Z')
  logged = []
}

async function end(): Promise<void> {
  await service.close()
  await bank.close()
}

/** Lets time pass. */
export function wait(ms: number): void {
  now += ms
}

/** Starts a service that has loaded a connector to the bank. */
export async function load(more: Partial<Connector> = {}): Promise<void> {
  const connector = harborConnector({
    institutions: [
      {
        institution_id: institutionId,
        name: 'Harbor Quay Bank',
        country_codes: ['US'],
        settings: { host: bank.host },
      },
    ],
    ...more,
  })
  connectors = new Map([[connector.id, connector]])
  service = await startService({
    clock: () => now,
    settings: {
      environment: 'production',
      reportDelayMs: 0,
      callTargets: 'loopback',
      connectors,
    },
    log: {
      info: () => {},
      warn: (details, message) => logged.push(`${message}: ${JSON.stringify(details)}`),
      error: (error, message) => logged.push(`${message}: ${(error as Error).message}`),
    },
  })
  await listBuiltInInstitutions(service.service)
  tenant = await service.tenant()
}

/** Opens the link page and comes as far as the connector's question. */
export async function toQuestion() {
  const request = { ...linkRequest, institution_id: institutionId }
  const { link_token, hosted_link_url } = await tenant.api.linkTokenCreate(request).orThrow()
  const visitor = createVisitor(service)
  await visitor.open(new URL(hosted_link_url).pathname)
  return { link_token, visitor, question: await visitor.send() }
}

export async function link(answer: Record<string, string> = { user: 'marlow', password }) {
  const { link_token, visitor } = await toQuestion()
  const details = await visitor.send(answer)
  await visitor.send({ 'kind-0': 'checking' })
  await visitor.send({ account: '0' })
  const session = await tenant.api.linkTokenGet({ link_token }).orThrow()
  const [added] = session.link_sessions[0]?.results?.item_add_results ?? []
  const { access_token, item_id } = await tenant.api
    .itemPublicTokenExchange({ public_token: added?.public_token ?? '' })
    .orThrow()
  return { access_token, item_id, details }
}

export const pullOf = (itemId: string) => findPullOf(service, itemId)

export async function pull(itemId: string) {
  now = Math.max(now, Number((await pullOf(itemId)).due_at)) + 15_000
  return service.service.runner.pull(tenant.clientId, itemId)
}

export async function list(access_token: string) {
  const { added } = await tenant.api.transactionsSync({ access_token }).orThrow()
  return added.map(({ date, name, amount, pending }) => [date, name, amount, pending])
}
