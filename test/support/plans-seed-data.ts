import {
  type FilledDatabase,
  fillDatabase,
  linkTemplates,
} from '../../scripts/bench/fill-database.ts'
import { wellKnownClients } from '../../src/server/clients/well-known-clients.ts'
import { clientTables } from '../../src/server/db/client-tables.ts'
import { callEverything, leaveOld, readSeedData, workThrough } from './busy-day.ts'
import { engine, openPlace } from './engine.ts'
import { multiplyRows } from './multiply-rows.ts'
import { seedDataKeys } from './ready-seed-data.ts'
import { type RecordedStatement, recordStatements } from './recorded-statements.ts'
import { startService, startWorld } from './service.ts'

const isCounted = engine === 'postgres'
/** How large every table is at least, transactions aside. Only a server's plans depend on it. */
const usual = isCounted ? 10_000 : 2000
/**
 * A server takes the descendants of a token for a hundred, and rather reads all of a table that is
 * short; and of webhooks only some still wait.
 */
const more: Readonly<Record<string, number>> = isCounted
  ? { oauth_tokens: 60_000, webhook_deliveries: 30_000 }
  : {}
const least = (table: string): number => more[table] ?? usual
/** From so many rows on a table is large: what is kept short by the service is not. */
const large = usual / 2

const parts = { keys: seedDataKeys, rateLimits: 'sandbox' as const, checkAnswer: undefined }
const [own, partner] = wellKnownClients

/** Fills what is at an address with seed data in which every table is large. */
export async function fillPlace(address: string, transactions: number): Promise<FilledDatabase> {
  const database = await openPlace(address)
  const service = await startWorld({ ...parts, database })
  await callEverything(service, service.client, 1)
  // Nobody listens for the webhooks of the Items that are copied.
  await service.service.database.transaction((db) =>
    db.run('update clients set listens_until = null'),
  )
  const templates = await linkTemplates(
    await service.app.listen({ port: 0, host: '127.0.0.1' }),
    transactions,
  )
  await service.close()
  const open = await openPlace(address)
  const size = transactions
  const world = await fillDatabase({ database: open, keys: seedDataKeys, templates, size })
  const empty = await multiplyRows(open, { but: ['transactions'], least })
  if (empty.length > 0) throw new Error(`no rows to multiply in ${empty.join(', ')}`)
  // A server does by itself after a while; the embedded store never does.
  if (engine === 'postgres') await open.exclusive(({ run }) => run('analyze'))
  await open.close()
  return world
}

/** Everything that a service runs there, day in, day out. */
export async function recordDay(
  address: string,
  world: FilledDatabase,
): Promise<RecordedStatement[]> {
  const recording = recordStatements(await openPlace(address))
  const service = await startService({ ...parts, database: recording.database })
  // The migrations have been looked at.
  recording.take()
  await callEverything(service, service.tenantOf(own.clientId, own.secret), 2)
  const other = service.tenantOf(partner.clientId, partner.secret)
  await leaveOld(service, other)
  // The client with the most rows would lose all of them.
  await workThrough(service, partner.clientId)
  await readSeedData(service, world)
  await service.close()
  return recording.take()
}

/** The tables that have many rows. */
export async function findLargeTables(address: string): Promise<Set<string>> {
  const database = await openPlace(address)
  const found = new Set<string>()
  for (const table of ['clients', ...clientTables]) {
    const row = await database.single.first<{ count: number }>(
      `select count(*) as count from ${table}`,
    )
    if (row && row.count > large) found.add(table)
  }
  await database.close()
  return found
}
