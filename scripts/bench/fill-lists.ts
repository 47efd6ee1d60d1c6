import { wellKnownClients } from '../../src/server/clients/well-known-clients.ts'
import { insertRows } from '../../src/server/db/insert-rows.ts'
import type { Database, Value } from '../../src/server/kernel/database.ts'
import { toTimestamp } from '../../src/server/kernel/time.ts'

// Makes the lists of the dashboard long: rows of the default data set are copied to another client.

type Row = Record<string, Value>

/** A table, and what differs from one copy to the next. */
interface Listed {
  table: string
  /** Columns of texts that are unique. */
  names: readonly string[]
  /** Columns of numbers that are unique. */
  numbers?: readonly string[]
  /** When a row was made, where its list is ordered by that. */
  time?: string
}

const lists: readonly Listed[] = [
  { table: 'transfers', names: ['transfer_id', 'authorization_id'], time: 'created' },
  { table: 'wallets', names: ['wallet_id'], numbers: ['sequence'] },
  { table: 'asset_reports', names: ['asset_report_id', 'token_hash'], time: 'created_at' },
  { table: 'users', names: ['user_id', 'client_user_id', 'user_token_hash'], time: 'created_at' },
  {
    table: 'identity_verifications',
    names: ['id', 'client_user_id'],
    numbers: ['sequence'],
    time: 'created_at',
  },
  { table: 'dashboard_users', names: ['id'], numbers: ['sequence'], time: 'created_at' },
]

const inStatement = 20
const minuteMs = 60_000

/** Copies the rows of each table until the client has so many. */
export async function fillLists(database: Database, clientId: string, count: number) {
  const [{ clientId: from }] = wellKnownClients
  for (const list of lists) {
    const rows = await database.single.all<Row>(
      `select * from ${list.table} where client_id = $1 limit ${inStatement}`,
      [from],
    )
    if (rows.length === 0) throw new Error(`the default data set has no rows in ${list.table}`)
    const copyAt = (number: number) =>
      copy(list, rows[number % rows.length] as Row, clientId, number)
    await insertCopies(database, list.table, count, copyAt)
  }
  await insertCopies(database, 'audit_log', count, (number) => entryAt(clientId, number))
}

async function insertCopies(
  database: Database,
  table: string,
  count: number,
  copyAt: (number: number) => Row,
): Promise<void> {
  await database.transaction(async (db) => {
    for (let done = 0; done < count; done += inStatement) {
      const rows = Array.from({ length: inStatement }, (_, index) => copyAt(done + index))
      await insertRows(db, table, rows)
    }
  })
}

const timeAt = (number: number): string => toTimestamp(Date.now() - number * minuteMs)

function copy(
  { names, numbers = [], time }: Listed,
  row: Row,
  clientId: string,
  number: number,
): Row {
  const changed: Row = { client_id: clientId, ...(time && { [time]: timeAt(number) }) }
  for (const name of names) {
    if (row[name] !== null) changed[name] = `${row[name]}-${number}`
  }
  for (const name of numbers) changed[name] = number + 1
  return { ...row, ...changed }
}

/** One entry in a thousand is about an object that has few. */
const entryAt = (clientId: string, number: number): Row => ({
  client_id: clientId,
  audit_id: `entry-${String(number).padStart(9, '0')}`,
  at: timeAt(number),
  actor: number % 1000 === 0 ? 'operator:rare' : `dashboard:user-${number % 5}`,
  action: number % 1000 === 0 ? 'client.rotate-secret' : 'item.view',
  subject: number % 1000 === 0 ? 'rare-object' : `item-${number % 500}`,
  details: '{"address":"127.0.0.1"}',
})
