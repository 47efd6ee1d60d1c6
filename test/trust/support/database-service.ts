import type { Instance } from '../../support/postgres-instance.ts'
import { type ServiceProcess, startProcess } from '../../support/service-process.ts'

/** A service on a database of its own. */
export interface DatabaseService {
  service: ServiceProcess
  database: string
  /** The wallets that are stored now and were not at the start. */
  written(): Promise<Set<string>>
}

export const ownKey = '5e'.repeat(32)

let databases = 0

export async function createDatabase(server: Instance): Promise<string> {
  databases += 1
  const name = `service_${databases}`
  await server.sql((sql) => sql.unsafe(`create database ${name}`))
  return name
}

/** Starts a service on a new database, which it reaches by the port. */
export async function startOn(
  server: Instance,
  port: number,
  options: string,
): Promise<DatabaseService> {
  const database = await createDatabase(server)
  const service = await startProcess({
    DATABASE_URL: `postgres://postgres@127.0.0.1:${port}/${database}${options}`,
    ENCRYPTION_KEY: ownKey,
    // Here the response reports what fails.
    LOG_LEVEL: 'silent',
  })
  const before = await readWallets(server, database)
  return { service, database, written: () => readWallets(server, database, before) }
}

/** The wallets that are stored, but for those that were before. */
export async function readWallets(
  server: Instance,
  database: string,
  before: ReadonlySet<string> = new Set(),
): Promise<Set<string>> {
  const rows = await inDatabase<{ wallet_id: string }>(
    server,
    database,
    'select wallet_id from wallets',
  )
  return new Set(rows.map(({ wallet_id }) => wallet_id).filter((id) => !before.has(id)))
}

/** Runs one statement in a database of a server. */
export const inDatabase = <Row>(server: Instance, database: string, statement: string) =>
  server.sql(async (sql) => [...(await sql.unsafe(statement))] as Row[], database)
