import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { putListed } from '../../src/server/institutions/list-store.ts'
import { toListedRow } from '../../src/server/institutions/listed-row.ts'
import { noteInstitutionChange } from '../../src/server/institutions/search-store.ts'
import type { Context } from '../../src/server/kernel/context.ts'
import { newId } from '../../src/server/kernel/ids.ts'
import { upstream } from '../../src/server/protocols/upstream/upstream.ts'
import type { Question } from '../../src/server/sources/connector.ts'
import { pulledConnector } from '../../src/server/sources/pulled-connector.ts'
import { loopbackSettings } from './connected.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { startService, type Tenant, type TestService } from './service.ts'
import { inContext } from './transactions-fixtures.ts'

/** The institution of the first service that the second one has. */
export const institutionId = 'ins_300001'
/** The institution in the sandbox of the second one. */
const theirInstitution = 'ins_300002'

/** Lists it there. A reset deletes it. */
export const listTheirs = (theirs: Tenant) =>
  theirs.control('sandboxInstitutionCreate', {
    institution_id: theirInstitution,
    name: 'Tidewater Lantern Bank',
    country_codes: ['US'],
    products: ['transactions'],
  })

/** What happens to the next request in place of an answer. */
export type Mishap = 'cut' | 'reset' | 'html' | { status: number; retryAfter?: number }

/** Two services: the first reads an Item of the second over a real connection. */
export interface Pair {
  first: TestService
  second: TestService
  tenant: Tenant
  theirs: Tenant
  /** In ms, of both. */
  now: number
  /** For the next requests, in their order. */
  mishaps: Mishap[]
  /** The paths of the requests. */
  calls: string[]
  /** The webhooks of the second service to the first one, which a test passes on. */
  inbox: Receiver
  /** Starts the second service again on its data. */
  restart(): Promise<void>
  advance(days: number): Promise<void>
  /** Links an Item, or repairs one. */
  link(itemId?: string): Promise<{ item_id: string; access_token: string }>
  /** Authorizes an Item again, and leaves the page before it is repaired. */
  authorize(itemId: string): Promise<void>
  /** The secret that an Item of the first service has. */
  secretOf(itemId: string): Promise<{ access_token: string; item_id: string }>
  /** Reads an Item as soon as that is due. */
  pull(itemId: string): Promise<string | undefined>
  dueAt(itemId: string): Promise<number>
  close(): Promise<void>
}

const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Serves a service that has no port of its own, with mishaps on the way. */
async function serve(pair: Pair): Promise<Server> {
  const server = createServer(async (request, response) => {
    const body = await readBody(request)
    pair.calls.push(request.url ?? '')
    const mishap = pair.mishaps.shift()
    if (mishap === 'reset') return void request.socket.resetAndDestroy()
    if (mishap === 'html') return void response.end('<!doctype html><title>Maintenance</title>')
    if (typeof mishap === 'object') {
      const { status, retryAfter } = mishap
      const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
      return void response.writeHead(status, headers).end()
    }
    const answer = await pair.second.app.inject({
      method: request.method as 'POST',
      url: request.url ?? '',
      headers: { ...request.headers, host: '127.0.0.1:4000' },
      payload: body,
    })
    send(response, answer, mishap === 'cut')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

function send(
  response: ServerResponse,
  answer: { statusCode: number; headers: object; rawPayload: Buffer },
  isCut: boolean,
): void {
  const { 'transfer-encoding': _, ...headers } = answer.headers as Record<string, string>
  response.writeHead(answer.statusCode, headers)
  if (!isCut) return void response.end(answer.rawPayload)
  response.write(answer.rawPayload.subarray(0, Math.ceil(answer.rawPayload.length / 2)), () =>
    response.destroy(),
  )
}

const connector = pulledConnector(upstream)

export async function startPair(start = '2026-01-05T12:00:00Z'): Promise<Pair> {
  const quiet = { info: () => {}, error: () => {} }
  const begun = Date.parse(start)
  const pair = {
    now: begun,
    mishaps: [] as Mishap[],
    calls: [] as string[],
    webhooks: [],
  } as unknown as Pair
  pair.inbox = await startReceiver()
  const { origin } = new URL(pair.inbox.url)
  const first = await startService({
    publicUrl: () => origin,
    clock: () => pair.now,
    settings: loopbackSettings,
    checkAnswer: undefined,
    log: quiet,
  })
  // The clock of the second service stands still; its client's clock is moved.
  const second = await startService({ clock: () => begun, log: quiet })
  pair.first = first
  pair.second = second
  pair.theirs = await second.tenant()
  pair.tenant = await first.tenant()
  await listTheirs(pair.theirs)
  const server = await serve(pair)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const settings = {
    url,
    client_id: pair.theirs.clientId,
    secret: pair.theirs.secret,
    institution_id: theirInstitution,
  }
  await list(first, settings)
  const findPull = (itemId: string) =>
    first.service.database.read((db) =>
      db.first<{ due_at: number; secret: string }>(
        'select due_at, secret from item_pulls where item_id = $1',
        [itemId],
      ),
    )
  return Object.assign(pair, {
    async restart() {
      const { service } = pair.second
      const { keys, database } = service
      // The database outlives the process.
      pair.second = await startService({
        ...{ clock: () => begun, log: quiet, keys },
        database: { ...database, close: async () => {} },
      })
    },
    async advance(days: number) {
      const to = pair.now + days * 86_400_000
      await pair.theirs.control('sandboxClockAdvance', { to: new Date(to).toISOString() })
      pair.now = to
    },
    link: (itemId?: string) => link(pair, settings, itemId ?? null),
    async authorize(itemId: string) {
      await authorizeThere(pair, settings, itemId)
    },
    async secretOf(itemId: string) {
      const pull = await findPull(itemId)
      return JSON.parse(first.service.keys.decrypt(pull?.secret ?? ''))
    },
    dueAt: async (itemId: string) => (await findPull(itemId))?.due_at ?? 0,
    async pull(itemId: string) {
      const pull = await findPull(itemId)
      pair.now = Math.max(pair.now, pull?.due_at ?? 0) + 5000
      return first.service.runner.pull(pair.tenant.clientId, itemId)
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await first.close()
      await second.close()
      await pair.inbox.close()
    },
  })
}

async function list({ service }: TestService, settings: object): Promise<void> {
  const row = toListedRow(
    {
      institution_id: institutionId,
      name: 'Lantern Aggregator',
      country_codes: ['US'],
      products: ['assets', 'transactions'],
      connector: 'upstream',
      settings: { ...settings },
    },
    '2026-01-01T00:00:00Z',
  )
  await service.database.transaction(async (db) => {
    await putListed(db, [row])
    await noteInstitutionChange(db, '', newId('opaque', 'production'))
  })
}

/** Answers the questions of the connector; the user links at the other service. */
async function authorizeThere(pair: Pair, settings: object, itemId: string | null) {
  const { first, tenant, theirs } = pair
  const institution = { institution_id: institutionId, name: 'Lantern Aggregator', settings }
  const read = <Result>(work: (ctx: Context) => Promise<Result>) => inContext(first, tenant, work)
  const back = { address: 'https://service.example.com/return', state: 'state' }
  const whom = { clientId: tenant.clientId, institution, itemId, daysRequested: 700 }
  const ask = { service: first.service, ...whom, back, read, write: read }
  let question: Question = connector.first(institution)
  for (;;) {
    const step = await connector.authorize(ask, question, { fields: {} })
    if (step.kind === 'done') return { ...whom, step }
    if (step.kind === 'redirect') {
      const { own } = step.secret as { own: { link_token: string } }
      await theirs.control('sandboxLinkSessionFinish', {
        link_token: own.link_token,
        status: 'SUCCESS',
      })
    }
    if (step.kind === 'wait') pair.now += 6000
    question = step
  }
}

async function link(pair: Pair, settings: object, itemId: string | null) {
  const { step, institution, daysRequested } = await authorizeThere(pair, settings, itemId)
  const accounts = (step.accounts ?? []).flatMap((one) =>
    one.kind === null ? [] : [{ ...one, kind: one.kind }],
  )
  const linked = await inContext(pair.first, pair.tenant, (ctx) =>
    connector.link(ctx, {
      ...{ institution, itemId, clientUserId: 'ada', userId: null, webhook: null },
      ...{ daysRequested, products: ['transactions'], secret: step.secret, accounts },
      expiresAt: step.expiresAt ?? null,
    }),
  )
  if ('state' in linked) throw new Error('a source is linked at once')
  return { item_id: linked.item.item_id, access_token: linked.access_token ?? '' }
}

/** What a client sees of an Item, without ids: accounts by name, and the rows. */
export async function listShown({ api }: Tenant, access_token: string) {
  const { accounts } = await api.accountsGet({ access_token }).orThrow()
  const withRows = accounts.filter(
    ({ type, subtype }) => type === 'depository' || type === 'credit' || subtype === 'student',
  )
  const names = new Map(
    accounts.map(({ account_id, name, mask }) => [account_id, `${name} ${mask}`]),
  )
  const rows: string[] = []
  const replacing: string[] = []
  let cursor = ''
  for (;;) {
    const page = await api
      .transactionsSync({
        ...{ access_token, count: 500, options: { include_original_description: true } },
        ...(cursor === '' ? {} : { cursor }),
      })
      .orThrow()
    for (const row of page.added) {
      const { transaction_id: _, account_id, pending_transaction_id, ...shown } = row
      const { personal_finance_category_icon_url: _icon, ...same } = shown
      const text = JSON.stringify([names.get(account_id), same])
      rows.push(text)
      if (pending_transaction_id !== null) replacing.push(text)
    }
    cursor = page.next_cursor
    if (!page.has_more) break
  }
  const balances = withRows.map(({ name, mask, balances: { current, available } }) =>
    [name, mask, current, available].join(' '),
  )
  return { rows: rows.sort(), replacing: replacing.sort(), balances: balances.sort() }
}

/** Rows that are missing, and rows that are too many. */
export function compare(theirs: readonly string[], ours: readonly string[]) {
  const rest = [...ours]
  const lost = theirs.filter((row) => {
    const at = rest.indexOf(row)
    if (at >= 0) rest.splice(at, 1)
    return at < 0
  })
  return { lost, doubled: rest }
}
