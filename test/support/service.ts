import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operations } from '#contract/operations.ts'
import type { operations as platformOperations } from '../../generated/platform/types.ts'
import type { operations as sandboxOperations } from '../../generated/sandbox/types.ts'
import { type OperationId as UndatedId, paths as undatedPaths } from '../../generated/undated.ts'
import { createAnswerCheck } from '../../scripts/validators/answer-check.ts'
import { type Client, type ClientOptions, createClient } from '../../src/index.ts'
import {
  createService,
  type RunningService,
  type ServiceParts,
} from '../../src/server/boot/create-service.ts'
import { insertClient } from '../../src/server/clients/store.ts'
import { wellKnownClients } from '../../src/server/clients/well-known-clients.ts'
import { prepareSeedData } from '../../src/server/fixtures/prepare-seed-data.ts'
import { newId } from '../../src/server/kernel/ids.ts'
import { createKeys } from '../../src/server/kernel/keys.ts'
import { type Content, openTestStore } from './engine.ts'
import { readySeedData, seedDataKeys } from './ready-seed-data.ts'
import { withWholeNumbers } from './whole-numbers.ts'

export type Body = Record<string, unknown>

type Undated = platformOperations & sandboxOperations
type UndatedBody<Id extends UndatedId> = Undated[Id]['requestBody']['content']['application/json']
type UndatedAnswer<Id extends UndatedId> =
  Undated[Id]['responses'][200]['content']['application/json']

/** One client of a running service: a tenant of its own. */
export interface Tenant {
  clientId: string
  secret: string
  /** The public client, with this tenant's credentials. */
  api: Client
  /** Calls an operation without versions; throws when it is rejected. */
  control<Id extends UndatedId>(id: Id, body: UndatedBody<Id>): Promise<UndatedAnswer<Id>>
  /** A bare POST with this tenant's credentials: its status and body, whatever they are. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answered>
}

export interface Answered {
  status: number
  body: Body
  headers: Headers
}

/** A service in this process, without a port. */
export interface TestService extends RunningService {
  url: string
  /** How many processes there seem to be. */
  processes: number
  /** The features of the sandbox API's `client/create`, all by default. */
  tenant(features?: readonly string[]): Promise<Tenant>
  /** The tenant of known credentials. */
  tenantOf(clientId: string, secret: string): Tenant
  fetch(request: Request): Promise<Response>
}

export const allFeatures = [
  'transfer_migrate',
  'asset_report_insights',
  'transactions_refresh',
  'identity_refresh',
  'user:read',
  'user:write',
  'exchange',
  'mcp:dashboard',
]

const url = 'http://127.0.0.1:4000'

/** Whether an error does not say what is wrong. */
function saysNothing({ statusCode, payload }: { statusCode: number; payload: string }): boolean {
  if (statusCode !== 400 || !payload.startsWith('{')) return false
  const { error_description, error_message, error } = JSON.parse(payload) as Body
  // Agents get errors of JSON-RPC.
  return !(error_description || error_message || (error as Body | undefined)?.['message'])
}

/**
 * Starts a service on a database of its own; every answer is checked exactly. Where an engine can be
 * shared there are two, which answer alternately: nothing may be known to one alone.
 */
export async function startService(
  parts: Partial<ServiceParts> = {},
  content?: Content,
): Promise<TestService> {
  const folder = mkdtempSync(join(tmpdir(), 'service-'))
  const store = parts.database
    ? { databases: [parts.database], remove: async () => {} }
    : await openTestStore(content)
  const whole: Omit<ServiceParts, 'database'> = {
    keys: createKeys(randomBytes(32)),
    settings: { environment: 'sandbox', reportDelayMs: 0 },
    publicUrl: () => url,
    rateLimits: 'off',
    log: { info: () => {}, error: (error, message) => console.error(message, error) },
    docs: folder,
    checkAnswer: createAnswerCheck(),
    ...parts,
  }
  const all = await Promise.all(
    store.databases.map((database) =>
      createService({ ...whole, database: withWholeNumbers(database) }),
    ),
  )
  const running = all[0] as RunningService
  const { service } = running
  for (const { app } of all) await app.ready()
  let asked = 0

  async function fetch(request: Request): Promise<Response> {
    const { app } = all[asked++ % all.length] as RunningService
    const answer = await app.inject({
      method: request.method as 'POST',
      url: request.url.replace(url, ''),
      headers: Object.fromEntries(request.headers),
      payload: Buffer.from(await request.arrayBuffer()),
    })
    if (saysNothing(answer)) throw new Error(`a refusal without words: ${answer.payload}`)
    const headers = Object.entries(answer.headers).map(([name, value]) => [name, String(value)])
    return new Response(new Uint8Array(answer.rawPayload), {
      status: answer.statusCode,
      headers: headers as [string, string][],
    })
  }

  function tenantOf(clientId: string, secret: string): Tenant {
    const post: Tenant['post'] = async (path, body, headers = {}) => {
      const response = await fetch(
        new Request(url + path, {
          method: 'POST',
          headers: {
            'Content-Type': 'application/json',
            'SERVICE-CLIENT-ID': clientId,
            'SERVICE-SECRET': secret,
            ...headers,
          },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        }),
      )
      const answer = (await response.json()) as Body
      return { status: response.status, body: answer, headers: response.headers }
    }
    // Tests ask for failures and count them, so nothing is tried again.
    const options: ClientOptions = { baseUrl: url, clientId, secret, fetch, retries: 0 }
    return {
      clientId,
      secret,
      api: createClient(options),
      post,
      async control(id, body) {
        const { status, body: answer } = await post(undatedPaths[id], body)
        if (status !== 200) throw new Error(`${id}: ${JSON.stringify(answer)}`)
        return answer as never
      },
    }
  }

  async function insert(clientId: string, secret: string, features: readonly string[]) {
    await service.database.transaction((db) =>
      insertClient(db, {
        client_id: clientId,
        client_name: null,
        secret_hash: service.keys.hash(secret),
        public_key: null,
        default_version: null,
        features,
        created_at: '2026-03-01T00:00:00Z',
      }),
    )
    return tenantOf(clientId, secret)
  }

  return {
    ...running,
    url,
    processes: all.length,
    fetch,
    tenantOf,
    tenant: (features = allFeatures) => {
      const [clientId, secret] = [
        newId('client', '', parts.bytes),
        newId('secret', '', parts.bytes),
      ]
      return insert(clientId, secret, features)
    },
    async close() {
      for (const { close } of all) await close()
      await store.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The path of an operation. */
export const pathOf = (operationId: keyof typeof operations): string => operations[operationId].path

export { wellKnownClients }

/** With one of these the seed data differs from the prepared one. */
const ownParts: (keyof ServiceParts)[] = ['database', 'keys']

/** A service with the default seed data, as a fresh sandbox has it. */
export async function startWorld(
  parts: Partial<ServiceParts> = {},
  options: { fixture?: string; seed?: string } = {},
): Promise<TestService & { client: Tenant; partner: Tenant }> {
  const isUsual = !(Object.keys(options).length > 0 || ownParts.some((part) => part in parts))
  const running = isUsual
    ? await startService({ ...parts, keys: seedDataKeys }, readySeedData(parts.clock))
    : await startService(parts)
  if (!isUsual) {
    await prepareSeedData(running.service, {
      environment: running.service.settings.environment,
      fixture: options.fixture,
      seed: options.seed,
      fixtureDate: undefined,
    })
  }
  const [client, partner] = wellKnownClients.map(({ clientId, secret }) =>
    running.tenantOf(clientId, secret),
  ) as [Tenant, Tenant]
  return { ...running, client, partner }
}
