import type { ListedInstitution } from '../../src/institution-list/listed-institution.ts'
import { applyCategories } from '../../src/server/operator/apply-categories.ts'
import { applyInstitutions } from '../../src/server/operator/apply-institutions.ts'
import type { OperatorCommand, OperatorDone } from '../../src/server/operator/operator-command.ts'
import { runOperatorCommand } from '../../src/server/operator/operator-command.ts'
import type { AccessDone } from '../../src/server/operator/simplefin-command.ts'
import { insertStaged } from '../../src/server/sources/staged-row-store.ts'
import { importText, january, longStatement, writeStatement } from './import-file.ts'
import type { Tenant, TestService } from './service.ts'

type WithoutActor<Command> = Command extends { actor: string } ? Omit<Command, 'actor'> : never

/** Lets operators do everything that they do in a day; `round` tells one such day from another. */
export async function operate(
  service: TestService,
  { clientId }: Tenant,
  round: number,
): Promise<void> {
  await lookAfterClients(service, round)
  await listInstitutions(service, round)
  const accountId = await importFiles(service, clientId, `ada-${round}`)
  await lookAfterItems(service, clientId, `ben-${round}`)
  await lookAfterWebhooks(service, clientId)
  await lookAfterTemplates(service, clientId)
  await readByProgram(service, clientId, accountId)
  const after = { at: '', audit_id: '' }
  await command(service, { audit: 'list', after, count: 100 })
  await leaveStaged(service, clientId, `killed-${round}`)
}

async function* nothing() {}

const command = (
  { service }: TestService,
  asked: WithoutActor<OperatorCommand>,
): Promise<OperatorDone> =>
  runOperatorCommand(service, { ...asked, actor: 'operator:test' } as OperatorCommand, nothing())

/** Reads two lists, of which the second has an institution less, and one of categories. */
async function listInstitutions({ service }: TestService, round: number): Promise<void> {
  const [file, actor] = ['institutions.yaml', 'service:SIGHUP']
  const one: ListedInstitution = {
    institution_id: `ins_listed_${round}`,
    name: `Bank ${round}`,
    country_codes: ['US'],
    products: ['assets', 'transactions'],
    connector: 'file',
    settings: {},
  }
  for (const institutions of [[one], []]) {
    await applyInstitutions(service, { institutions, builtIn: true }, { file, actor })
  }
  const words = [`shop ${round}`]
  const categories = [{ words, category: 'FOOD_AND_DRINK_GROCERIES' as const }]
  await applyCategories(service, categories, { file: 'categories.yaml', actor })
}

async function lookAfterClients(service: TestService, round: number): Promise<void> {
  const webhook = 'https://lender.example.com/webhooks'
  const done = await command(service, { client: 'create', name: `Client ${round}`, webhook })
  const [{ client_id: id = '' } = {}] = 'clients' in done ? done.clients : []
  await command(service, { client: 'list' })
  await command(service, { client: 'rotate-secret', id, graceSeconds: 60 })
  await command(service, { client: 'disable', id })
  await command(service, { client: 'enable', id })
  await command(service, { client: 'features', id, add: [], remove: ['user:write'] })
  await command(service, { client: 'set-webhook', id, webhook: null })
  await command(service, { client: 'keep-bodies', id, seconds: 3600 })
}

/** More than an import keeps in memory. */
const rows = 1100

/** Imports files that overlap, of two origins, of which one is long enough to be staged. Returns an account. */
async function importFiles(
  service: TestService,
  client_id: string,
  client_user_id: string,
): Promise<string> {
  const kind = { type: 'depository', subtype: 'checking' }
  const order = { client_id, client_user_id, kind }
  const camt = writeStatement('CAMT.053 version 2', january)
  const pending = camt.replace('<Sts>BOOK</Sts>', '<Sts>PDNG</Sts>')
  const { item_id, accounts } = await importText(service, pending, { ...order, partial: true })
  await importText(service, camt, order)
  await importText(service, camt.replaceAll('Coffee', 'Coffee and tea'), order)
  const whole = { client_id, client_user_id: '', item_id: item_id ?? '' }
  const long = writeStatement('OFX 1.x', longStatement(rows))
  await importText(service, long, whole)
  await importText(service, long, { ...whole, dryRun: true })
  return accounts[0]?.account_id ?? ''
}

async function lookAfterItems(service: TestService, client_id: string, client_user_id: string) {
  const text = writeStatement('OFX 1.x', january)
  const done = await importText(service, text, { client_id, client_user_id })
  const id = done.item_id ?? ''
  await command(service, { export: 'accounts', item: id })
  const [{ account_id = '' } = {}] = done.accounts
  await command(service, { export: 'transactions', item: id, account_id, after: 0, count: 100 })
  await command(service, { item: 'list' })
  await command(service, { item: 'list', client_id })
  await command(service, { item: 'show', id })
  await command(service, { item: 'refresh', id })
  await command(service, { item: 'access-token', id })
  await command(service, { item: 'remove', id })
}

async function lookAfterWebhooks(service: TestService, client_id: string): Promise<void> {
  const done = await command(service, { webhook: 'list', client_id, count: 10 })
  const [{ webhook_id: id = '' } = {}] = 'webhooks' in done ? done.webhooks : []
  await command(service, { webhook: 'list', count: 10 })
  await command(service, { webhook: 'redeliver', client_id, id })
  await command(service, { webhook_key: 'rotate', client_id })
}

/** Lets a program read accounts by SimpleFIN: those of some Items, and one whose transactions are told. */
async function readByProgram(
  service: TestService,
  client_id: string,
  accountId: string,
): Promise<void> {
  const done = await command(service, { simplefin: 'create', name: 'Budget', client_id })
  const { setup_token = '', access: [{ id }] = [{ id: '' }] } = done as AccessDone & {
    access: [{ id: string }]
  }
  const { pathname: url } = new URL(Buffer.from(setup_token, 'base64').toString())
  const { body } = await service.app.inject({ method: 'POST', url })
  const { username, password } = new URL(body)
  const credentials = Buffer.from(`${username}:${password}`).toString('base64')
  const headers = { authorization: `Basic ${credentials}` }
  for (const query of ['pending=1', 'account=none', `account=${accountId}`]) {
    await service.app.inject({ url: `/simplefin/accounts?${query}`, headers })
  }
  await command(service, { simplefin: 'list' })
  await command(service, { simplefin: 'revoke', id })
}

/** What an import leaves that is killed. */
async function leaveStaged(service: TestService, client_id: string, import_id: string) {
  const staged = { client_id, import_id, place: 0, rows: '[]', staged_at: service.service.clock() }
  await service.service.database.transaction((db) => insertStaged(db, [staged]))
}

async function lookAfterTemplates(service: TestService, client_id: string): Promise<void> {
  const order = { client_id, name: 'Onboarding', steps: ['accept_tos', 'kyc_check'] }
  const done = await command(service, { template: 'create', ...order })
  const [{ id = '' } = {}] = 'templates' in done ? done.templates : []
  await command(service, { template: 'show', id })
  await command(service, { template: 'list', client_id })
}
