import type { CurrentVersion } from '../../generated/client.ts'
import { createService } from '../../src/server/boot/create-service.ts'
import { wellKnownClients } from '../../src/server/clients/well-known-clients.ts'
import { newEncryptionKey } from '../../src/server/config/encryption-key.ts'
import { clientTables } from '../../src/server/db/client-tables.ts'
import { openSqlite } from '../../src/server/db/sqlite.ts'
import { prepareSeedData } from '../../src/server/fixtures/prepare-seed-data.ts'
import type { Queries, Value } from '../../src/server/kernel/database.ts'
import { createKeys, type Keys } from '../../src/server/kernel/keys.ts'
import { addDays, toDate } from '../../src/server/kernel/time.ts'
import { createOpened } from '../../src/testing/opened.ts'
import { createTenant, type Tenant } from '../../src/testing/tenant.ts'

export type Row = Record<string, Value>

/** The tables that hold an Item whose history is over. */
export const itemTables = ['items', 'accounts', 'transactions'] as const
export type ItemTable = (typeof itemTables)[number]

/** An Item as the service has stored it, each column as it is in its table. */
export type Template = Record<ItemTable, Row[]>

export interface Templates {
  all: Template[]
  /** What has encrypted and hashed them. */
  keys: Keys
}

const longestHistory = 730

/** Links Items in a service in memory, through its interface, and takes what it has stored of them. */
export async function linkTemplates(count: number): Promise<Templates> {
  const database = openSqlite(':memory:')
  const keys = createKeys(newEncryptionKey())
  const running = await createService({
    database,
    keys,
    settings: { environment: 'sandbox', reportDelayMs: 0 },
    publicUrl: () => '',
    rateLimits: 'off',
    log: { info: () => {}, error: (error) => console.error(error) },
  })
  try {
    await prepareSeedData(running.service, {
      environment: 'sandbox',
      fixture: undefined,
      seed: undefined,
      fixtureDate: undefined,
    })
    const baseUrl = await running.app.listen({ port: 0, host: '127.0.0.1' })
    const [{ clientId, secret }] = wellKnownClients
    const tenant = createTenant<CurrentVersion>(
      { baseUrl, clientId, secret, version: undefined },
      createOpened(),
    )
    const all: Template[] = []
    while (all.length < count) {
      const itemId = await linkItem(tenant)
      all.push(await database.read((db) => readTemplate(db, itemId)))
    }
    return { all, keys }
  } finally {
    await running.close()
  }
}

/** Its history ends yesterday: so nothing that the service does later follows from its ids. */
async function linkItem({ linkItem: link }: Tenant): Promise<string> {
  const end_date = addDays(toDate(new Date().toISOString()), -1)
  const { item_id } = await link({ transactions: { days_requested: longestHistory, end_date } })
  return item_id
}

async function readTemplate(db: Queries, itemId: string): Promise<Template> {
  await refuseMore(db, itemId)
  const read = (table: ItemTable) =>
    db.all<Row>(`select * from ${table} where item_id = $1`, [itemId])
  const [items, accounts, transactions] = await Promise.all(itemTables.map(read))
  return { items, accounts, transactions } as Template
}

/** What an Item has in other tables would be missing where it is copied to. */
async function refuseMore(db: Queries, itemId: string): Promise<void> {
  const known: readonly string[] = itemTables
  for (const table of clientTables.filter((name) => !known.includes(name))) {
    const rows = await db.all<Row>(`select * from ${table}`)
    const isThere = rows.some((row) => Object.values(row).some((value) => holds(value, itemId)))
    if (isThere) throw new Error(`a linked Item leaves rows in ${table}, which are not copied`)
  }
}

const holds = (value: Value, text: string): boolean =>
  typeof value === 'string' && value.includes(text)
