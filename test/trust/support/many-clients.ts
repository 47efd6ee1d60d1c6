import { randomUUID } from 'node:crypto'
import type { Instance } from '../../support/postgres-instance.ts'
import {
  type Credentials,
  firstClient,
  headersOf,
  type ServiceProcess,
  startProcess,
} from '../../support/service-process.ts'
import { createDatabase, inDatabase, ownKey } from './database-service.ts'
import { progress } from './report.ts'

/** Processes of the service on one database of their own. */
interface Services {
  /** A call of one of them, alternately. */
  post(credentials: Credentials, path: string, body: object): Promise<Called>
  /** How many transactions were rolled back: those that were repeated, and those of rejected calls. */
  countRollbacks(): Promise<number>
  end(): Promise<void>
}

export interface Called {
  path: string
  status: number
  message: unknown
  ms: number
  body: Record<string, unknown>
}

/** A client, and the access token of an Item of its own. */
interface Tenant extends Credentials {
  access_token: string
}

const patienceMs = 60_000

export async function startProcesses(server: Instance, count: number): Promise<Services> {
  const database = await createDatabase(server)
  const environment = {
    DATABASE_URL: server.url(database),
    ENCRYPTION_KEY: ownKey,
    LOG_LEVEL: 'silent',
  }
  const processes = await Promise.all(
    Array.from({ length: count }, () => startProcess(environment)),
  )
  let turn = 0
  return {
    async post(credentials, path, body) {
      const { url } = processes[turn++ % processes.length] as ServiceProcess
      const begun = performance.now()
      const response = await fetch(url + path, {
        method: 'POST',
        headers: headersOf(credentials),
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(patienceMs),
      })
      const answer = (await response.json()) as Record<string, unknown>
      const ms = performance.now() - begun
      return { path, status: response.status, message: answer['error_message'], ms, body: answer }
    },
    async countRollbacks() {
      const settled = `select pg_stat_force_next_flush(), count(*) from pg_stat_activity
        where datname = '${database}'`
      await inDatabase(server, database, settled)
      const [row] = await inDatabase<{ undone: string }>(
        server,
        database,
        `select xact_rollback as undone from pg_stat_database where datname = '${database}'`,
      )
      return Number(row?.undone)
    },
    async end() {
      for (const { kill } of processes) await kill()
    },
  }
}

/** Makes clients, each with an Item. */
export async function createTenants({ post }: Services, count: number): Promise<Tenant[]> {
  const tenants: Tenant[] = []
  while (tenants.length < count) {
    const { body } = await post(firstClient, '/sandbox/client/create', {})
    const own = { clientId: String(body['client_id']), secret: String(body['secret']) }
    const linked = await post(own, '/sandbox/public_token/create', newItem)
    const { public_token } = linked.body
    const exchanged = await post(own, '/item/public_token/exchange', { public_token })
    tenants.push({ ...own, access_token: String(exchanged.body['access_token']) })
  }
  return tenants
}

const newItem = {
  institution_id: 'ins_109508',
  initial_products: ['transactions', 'assets'],
  options: { webhook: 'http://127.0.0.1:9/' },
}

/** What a tenant may send. */
export const heavyWrites = {
  publicTokenCreate: () => ['/sandbox/public_token/create', newItem],
  walletCreate: () => ['/wallet/create', { iso_currency_code: 'EUR' }],
  assetReportCreate: ({ access_token }) => [
    '/asset_report/create',
    { access_tokens: [access_token], days_requested: 60 },
  ],
  transactionsRefresh: ({ access_token }) => ['/transactions/refresh', { access_token }],
  userCreate: () => ['/user/create', { client_user_id: randomUUID() }],
  clockAdvance: () => ['/sandbox/clock/advance', { seconds: 3600 }],
  fireWebhook: ({ access_token }) => [
    '/sandbox/item/fire_webhook',
    { access_token, webhook_code: 'DEFAULT_UPDATE' },
  ],
  reset: () => ['/sandbox/reset', {}],
} satisfies Record<string, (tenant: Tenant) => [path: string, body: object]>

interface Wave {
  calls: number
  callers: number
  names: readonly (keyof typeof heavyWrites)[]
}

/** Sends calls by so many callers, each of whom sends the next one as soon as it is answered. */
export async function sendAll(
  { post }: Services,
  tenants: readonly Tenant[],
  { calls, callers, names }: Wave,
): Promise<Called[]> {
  const answers: Called[] = []
  let sent = 0
  const work = async (tenant: Tenant) => {
    while (sent < calls) {
      const name = names[sent++ % names.length] as keyof typeof heavyWrites
      const make: (from: Tenant) => [string, object] = heavyWrites[name]
      answers.push(await post(tenant, ...make(tenant)))
      progress(`call ${answers.length} of ${calls}`)
    }
  }
  await Promise.all(
    Array.from({ length: callers }, (_, index) => work(tenants[index % tenants.length] as Tenant)),
  )
  return answers
}

export function summarize(answers: readonly Called[]) {
  const times = answers.map(({ ms }) => ms).sort((one, other) => one - other)
  const at = (share: number) => Math.round(times[Math.floor(times.length * share)] ?? 0)
  return {
    calls: answers.length,
    succeeded: answers.filter(({ status }) => status === 200).length,
    refused_503: answers.filter(({ status }) => status === 503).length,
    p50_ms: at(0.5),
    p99_ms: at(0.99),
  }
}
