import { createHash, randomBytes } from 'node:crypto'
import { cpSync } from 'node:fs'
import { dirname } from 'node:path'
import { eachExample, readBundle } from '../../scripts/contract/contract.ts'
import { type StartedService, start } from '../../src/server/boot/start.ts'
import { findClient } from '../../src/server/clients/store.ts'
import { readyAccessToken, wellKnownClients } from '../../src/server/clients/well-known-clients.ts'
import { type Config, readConfig } from '../../src/server/config/config.ts'
import { encryptedColumns } from '../../src/server/data-keys/encrypted-columns.ts'
import { insertRows } from '../../src/server/db/insert-rows.ts'
import { withEvidence } from '../../src/server/identity-verification/evidence.ts'
import { insertVerificationSession } from '../../src/server/identity-verification/page-session-store.ts'
import { checkPicture } from '../../src/server/identity-verification/pictures/check-picture.ts'
import type { Picture } from '../../src/server/identity-verification/pictures/picture.ts'
import { samplePicture } from '../../src/server/identity-verification/pictures/samples.ts'
import { insertPicture } from '../../src/server/identity-verification/pictures/store.ts'
import { providerChecks } from '../../src/server/identity-verification/provider-checks.ts'
import { requireAttempt, updateAttempt } from '../../src/server/identity-verification/store.ts'
import type { Database } from '../../src/server/kernel/database.ts'
import { createContext } from '../../src/server/pipeline/create-context.ts'
import { createPlace, openPlace, type Place } from './engine.ts'
import { importText, january, writeStatement } from './import-file.ts'
import { asAdmin } from './postgres-server.ts'
import { startReceiver } from './receiver.ts'
import type { Body } from './service.ts'

/** Three keys, in the order in which an operator has had them. */
export const [first, second, third] = ['one', 'two', 'three'].map((name) =>
  createHash('sha256').update(name).digest('hex'),
) as [string, string, string]

/** A new database with the contents of another one, which must not be open. */
export async function copyPlace({ address }: Place): Promise<Place> {
  if (!address.startsWith('postgres:')) {
    const copy = await createPlace()
    cpSync(dirname(address), dirname(copy.address), { recursive: true })
    return copy
  }
  const url = new URL(address)
  const from = url.pathname.slice(1)
  const name = `test_${process.pid}_${randomBytes(8).toString('hex')}`
  await asAdmin(async (sql) => void (await sql.unsafe(`create database ${name} template ${from}`)))
  url.pathname = `/${name}`
  return {
    address: url.href,
    remove: () => asAdmin(async (sql) => void (await sql.unsafe(`drop database ${name} (force)`))),
  }
}

/** The options of a service on a database, with a key and those before it. */
export function optionsOf(place: Place, key: string, previous?: string): Record<string, string> {
  const { address } = place
  const data = address.startsWith('postgres:')
    ? { DATABASE_URL: address }
    : { DATA_DIR: dirname(address) }
  return {
    ...data,
    ENCRYPTION_KEY: key,
    ...(previous === undefined ? {} : { ENCRYPTION_KEY_PREVIOUS: previous }),
    PORT: '0',
    REPORT_DELAY_MS: '0',
    LOG_LEVEL: 'error',
  }
}

export const startAt = (options: Record<string, string>): Promise<StartedService> =>
  start(readConfig([], options) as Config)

const [{ clientId, secret }] = wellKnownClients

/** A call of the first client of the default seed data, which succeeds. */
export async function call(
  address: string,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Body> {
  const response = await fetch(address + path, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'SERVICE-CLIENT-ID': clientId,
      'SERVICE-SECRET': secret,
      ...headers,
    },
    body: JSON.stringify(body),
  })
  const { request_id: _, ...answer } = (await response.json()) as Body
  if (response.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer)}`)
  return answer
}

/** Every value of the database that looks as if it was encrypted, with its place. */
export async function listEncrypted(place: Place): Promise<{ at: string; value: string }[]> {
  const database = await openPlace(place.address)
  try {
    const found: { at: string; value: string }[] = []
    for (const table of await listTables(database, place)) {
      const rows = await database.read(({ all }) => all<Body>(`select * from ${table}`))
      for (const row of rows) {
        for (const [column, value] of Object.entries(row)) {
          if (typeof value === 'string' && /^[0-9a-f]{8}\.[\w-]{38,}$/.test(value)) {
            found.push({ at: `${table}.${column}`, value })
          }
        }
      }
    }
    return found
  } finally {
    await database.close()
  }
}

/** The tables, whatever they are. */
async function listTables(database: Database, { address }: Place): Promise<string[]> {
  const sql = address.startsWith('postgres:')
    ? "select tablename as name from pg_tables where schemaname = 'public'"
    : "select name from sqlite_master where type = 'table'"
  const rows = await database.read(({ all }) => all<{ name: string }>(sql))
  return rows.map(({ name }) => name)
}

/** The places that the service knows of. */
export const knownColumns = encryptedColumns.flatMap(({ table, columns }) =>
  columns.map((column) => `${table}.${column}`),
)

/** Writes something into each column that is encrypted, and returns what can be read only once. */
export async function fillColumns(service: StartedService): Promise<{ public_token: string }> {
  const { address } = service
  const send = (path: string, name: string) => call(address, path, exampleNamed(name))
  await send('/user/create', 'userCreateRequestConsumerReport')
  await call(address, '/user/create', {
    ...exampleNamed('userCreateRequest'),
    client_user_id: 'borrower-rotated',
  })
  await send('/asset_report/create', 'assetReportCreateRequestWithOptions')
  await send('/transfer/migrate_account', 'transferMigrateAccountRequest')
  const session = exampleNamed('identityVerificationCreateRequest')
  const attempt = await call(address, '/identity_verification/create', {
    ...session,
    client_user_id: 'rotated',
  })
  await insertSample(service, String(attempt['id']))
  for (const iso_currency_code of ['GBP', 'EUR']) {
    const headers = { 'Idempotency-Key': iso_currency_code }
    await call(address, '/wallet/create', { iso_currency_code }, headers)
  }
  await call(address, '/sandbox/webhook/rotate_key', {})
  await importText(service, writeStatement('OFX 1.x', january), { client_id: clientId })
  await insertSecret(service)
  await call(address, '/webhook/listen', {})
  await deliverWebhook(service)
  const { link_token } = await call(
    address,
    '/link/token/create',
    exampleNamed('linkTokenCreateRequestUser'),
  )
  await call(address, '/sandbox/link/session/finish', { link_token, status: 'SUCCESS' })
  const link = { institution_id: 'ins_109508', initial_products: ['transactions'] }
  const { public_token } = await call(address, '/sandbox/public_token/create', link)
  return { public_token: String(public_token) }
}

/** A webhook whose receiver answers with a body. */
async function deliverWebhook({ address, service }: StartedService): Promise<void> {
  const receiver = await startReceiver()
  const item = { access_token: readyAccessToken }
  await call(address, '/item/webhook/update', { ...item, webhook: receiver.url })
  await service.runner.runDue(clientId)
  await receiver.close()
}

/** What the page of an attempt stores: a picture, what the person did, and what they did not send yet. */
async function insertSample({ service }: StartedService, id: string): Promise<void> {
  const picture = checkPicture(samplePicture('document')) as Picture
  await service.database.transaction(async (db) => {
    const client = (await findClient(db, clientId))!
    const { ctx } = createContext(service, db, { client, now: service.clock() })
    const attempt = await insertPicture(
      ctx,
      await requireAttempt(ctx, id),
      'original_front_1',
      picture,
    )
    const selfies = [{ upload: 1, at: ctx.now }]
    const results = ctx.keys.encrypt(JSON.stringify({ kyc_check: {} }))
    await updateAttempt(ctx, { ...withEvidence(ctx, attempt, { selfies }), results })
    const settings = { identityGateway: { url: '', steps: ['risk_check'], isPrivate: true } }
    await providerChecks(settings).submit(ctx, attempt, { step: 'risk_check' })
    await insertVerificationSession(ctx, {
      session_id: ctx.newId('uuid'),
      attempt_id: id,
      sequence: ctx.nextSequence(),
      started_at: ctx.now,
      expires_at: ctx.nowMs,
      browser_hash: 'hash',
      turn: 0,
      ended: null,
      drafts: '{"person":{"country":"US"}}',
      token_hash: null,
      link_session_id: null,
    })
  })
}

/** What a source lets the service in with. No source is called for it. */
async function insertSecret({ service }: StartedService): Promise<void> {
  const secret = service.keys.encrypt('https://user:password@bank.example.com/simplefin')
  const pull = { connector: 'simplefin', hidden: '[]', due_at: service.clock(), calls: '[]' }
  const row = { client_id: clientId, item_id: 'item', secret, ...pull }
  await service.database.transaction((db) => insertRows(db, 'item_pulls', [row]))
}

const examples = [readBundle(), readBundle('platform')].flatMap(eachExample)

/** A request of the contract's examples. */
export function exampleNamed(name: string): Body {
  const example = examples.find((one) => one.name === name)
  if (!example) throw new Error(`there is no example ${name}`)
  return example.value as Body
}
