import { createHash, randomBytes } from 'node:crypto'
import { cpSync } from 'node:fs'
import { dirname } from 'node:path'
import { eachExample, readBundle } from '../../scripts/contract/contract.ts'
import { type StartedService, start } from '../../src/server/boot/start.ts'
import { wellKnownClients } from '../../src/server/clients/well-known-clients.ts'
import { type Config, readConfig } from '../../src/server/config/config.ts'
import { encryptedColumns } from '../../src/server/data-keys/encrypted-columns.ts'
import { insertRows } from '../../src/server/db/insert-rows.ts'
import type { Database } from '../../src/server/kernel/database.ts'
import { createPlace, openPlace, type Place } from './engine.ts'
import { importText, january, writeStatement } from './import-file.ts'
import { asAdmin } from './postgres-server.ts'
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
export async function call(address: string, path: string, body: object): Promise<Body> {
  const response = await fetch(address + path, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'SERVICE-CLIENT-ID': clientId,
      'SERVICE-SECRET': secret,
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
  await call(address, '/identity_verification/create', { ...session, client_user_id: 'rotated' })
  for (const iso_currency_code of ['GBP', 'EUR']) {
    await call(address, '/wallet/create', { iso_currency_code })
  }
  await call(address, '/sandbox/webhook/rotate_key', {})
  await importText(service, writeStatement('OFX 1.x', january), { client_id: clientId })
  await insertSecret(service)
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
