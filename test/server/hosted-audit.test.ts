import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { fileInstitutionId } from '../../src/institution-list/built-in.ts'
import { combine, type EndedImport } from '../../src/server/kernel/telemetry.ts'
import { listBuiltInInstitutions } from '../../src/server/operator/apply-institutions.ts'
import { runItemCommand } from '../../src/server/operator/item-command.ts'
import { hastenPull } from '../../src/server/queue/pull-store.ts'
import { createPulls } from '../../src/server/worker/pulls/pulls.ts'
import { connect, listServer } from '../support/connected.ts'
import { january, longStatement, writeStatement } from '../support/import-file.ts'
import { createVisitor, linkRequest } from '../support/link-visitor.ts'
import { newTenant } from '../support/operator.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'
import { account } from '../support/simplefin-ground.ts'
import { startSimplefin } from '../support/simplefin-server.ts'
import { inContext } from '../support/transactions-fixtures.ts'

// What operators are told of links, repairs and health, and what is left of a session that is over.

let service: TestService
let tenant: Tenant
let imports: EndedImport[] = []
let ahead = 0
const clock = () => Date.now() + ahead
beforeAll(async () => {
  const settings = { environment: 'production', reportDelayMs: 0 } as const
  const telemetry = combine([{ imported: (ended) => void imports.push(ended) }])
  service = await startService({ settings, telemetry, clock })
  await listBuiltInInstitutions(service.service)
})
afterAll(() => service.close())
beforeEach(async () => {
  imports = []
  tenant = await newTenant(service)
})

interface Entry {
  actor: string
  action: string
  subject: string
  details: unknown
}

async function auditOf(action: string): Promise<Entry[]> {
  const sql = `select actor, action, subject, details from audit_log
    where client_id = $1 and action = $2 order by at, audit_id`
  const rows = await service.service.database.single.all<Entry>(sql, [tenant.clientId, action])
  return rows.map((row) => ({ ...row, details: JSON.parse(String(row.details)) }))
}

type Changes = Partial<Parameters<Tenant['api']['linkTokenCreate']>[0]>

async function toFile(changes: Changes = {}) {
  const request = { ...linkRequest, institution_id: fileInstitutionId, ...changes }
  const { link_token, hosted_link_url } = await tenant.api.linkTokenCreate(request).orThrow()
  const visitor = createVisitor(service)
  await visitor.open(new URL(hosted_link_url).pathname)
  return { link_token, visitor }
}

const camt = (count: number) => {
  const statement = count === 1 ? january : longStatement(count)
  return { name: 'a.xml', bytes: writeStatement('CAMT.053 version 2', statement) }
}

async function link(count: number) {
  const { visitor, link_token } = await toFile()
  await visitor.send()
  await visitor.upload(camt(count))
  await visitor.send({ 'kind-0': 'checking' })
  await visitor.send({ account: '0' })
  const { path } = visitor.last()
  await expect.poll(async () => (await visitor.open(path)).heading).toMatch(/connected$/)
  const { link_sessions } = await tenant.api.linkTokenGet({ link_token }).orThrow()
  const public_token = link_sessions[0]?.results?.item_add_results[0]?.public_token ?? ''
  const item = await tenant.api.itemPublicTokenExchange({ public_token }).orThrow()
  return { ...item, session: link_sessions[0]?.link_session_id }
}

test.each([1, 3000])(
  'a file of %i rows is told to the log of changes and the metrics',
  async (count) => {
    const { item_id, access_token, session } = await link(count)
    const rows = { new: count, known: 0, merged: 0, changed: 0, removed: 0, doubtful: 0 }
    const about = {
      connector: 'file',
      institution_id: fileInstitutionId,
      format: 'camt',
      accounts: 1,
    }
    expect(await auditOf('item.link')).toEqual([
      {
        ...{ actor: 'link page', action: 'item.link', subject: item_id },
        details: { ...about, session, rows },
      },
    ])
    const told = { clientId: tenant.clientId, itemId: item_id, format: 'camt', result: 'whole' }
    await expect.poll(() => imports).toMatchObject([{ ...told, rows }])
    expect(imports[0]?.ms).toBeGreaterThanOrEqual(0)
    const again = await toFile({ access_token, products: undefined } as never)
    await again.visitor.upload(camt(1))
    await again.visitor.send()
    const [repair] = await auditOf('item.repair')
    expect(repair).toMatchObject({ actor: 'link page', subject: item_id, details: about })
  },
)

test('what a pull and a repair change about the health of an Item is noted', async () => {
  const settings = { ...service.service.settings, callTargets: 'loopback' as const }
  const own = { ...service, service: { ...service.service, settings } }
  const server = await startSimplefin(clock)
  server.accounts = [account()]
  await listServer(own, server)
  const { item_id } = await connect(own, tenant, server, { token: server.newToken() })
  const pulls = createPulls(own.service)
  server.revoke()
  ahead += 10_000
  await inContext(own, tenant, (ctx) => hastenPull(ctx, item_id, clock()))
  await pulls.pull({ client_id: tenant.clientId, item_id })
  await pulls.stop()
  const lost = { before: null, after: 'ITEM_LOGIN_REQUIRED' }
  const entry = { action: 'item.health', subject: item_id }
  expect(await auditOf('item.health')).toEqual([{ ...entry, actor: 'pull', details: lost }])
  const shown = await runItemCommand(service.service, { item: 'show', id: item_id }, 'test')
  const at = expect.stringMatching(/^\d{4}-.*Z$/)
  expect(shown.items).toMatchObject([
    {
      reads: {
        next_at: at,
        last_at: null,
        failure: 'ITEM_LOGIN_REQUIRED',
        failures: 1,
        notices: [],
      },
    },
  ])
  await connect(own, tenant, server, { token: server.newToken(), itemId: item_id } as never)
  const repaired = { before: 'ITEM_LOGIN_REQUIRED', after: null }
  expect((await auditOf('item.health')).slice(1)).toEqual([
    { ...entry, actor: 'link page', details: repaired },
  ])
  await server.close()
})

test('a session that nobody ends keeps no secrets once its link token has expired', async () => {
  const { visitor } = await toFile()
  await visitor.send()
  await visitor.upload(camt(1))
  const read = (sql: string) => service.service.database.single.all(sql, [tenant.clientId])
  const session = 'select connection, status from link_sessions where client_id = $1'
  const staged = 'select import_id from staged_rows where client_id = $1'
  expect(await read(session)).toEqual([{ connection: expect.any(String), status: null }])
  expect(await read(staged)).not.toEqual([])
  ahead += 4 * 3_600_000
  await service.service.runner.runDue(tenant.clientId)
  expect(await read(session)).toEqual([{ connection: null, status: null }])
  expect(await read(staged)).toEqual([])
})
