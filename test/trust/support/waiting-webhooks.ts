import { openPlace } from '../../support/engine.ts'
import { firstClient } from '../../support/service-process.ts'
import { type Store, startEdge } from './edge-service.ts'

/** Webhooks that wait, as if their receivers had been away for long. */
export interface Waiting {
  count: number
  endpoints: readonly string[]
  /** Each endpoint has so many Items. */
  itemsOfEach: number
  /** The share that one Item at the first endpoint has of all. */
  shareOfOneItem: number
}

/** Writes the seed data to a store, and puts webhooks into it that are all due. */
export async function fillStore(store: Store, waiting: Waiting): Promise<void> {
  const first = await startEdge(store)
  first.signal('SIGTERM')
  await first.ended
  const database = await openPlace(store.address)
  const now = Date.now()
  const { count, endpoints, itemsOfEach, shareOfOneItem } = waiting
  await database.transaction((db) =>
    db.run('create table trust_endpoints (place integer primary key, address text not null)'),
  )
  await database.transaction(async (db) => {
    for (const [number, url] of endpoints.entries()) {
      await db.run('insert into trust_endpoints values ($1, $2)', [number, url])
    }
  })
  const ofOne = Math.floor(count * shareOfOneItem)
  const part = 50_000
  for (let from = 1; from <= count; from += part) {
    const to = Math.min(count, from + part - 1)
    await database.transaction((db) =>
      db.run(
        `with recursive waiting (number) as (
           select ${from} union all select number + 1 from waiting where number < ${to}
         )
         insert into webhook_deliveries (client_id, webhook_id, sequence, item_id, url,
             webhook_type, webhook_code, body, status, due_at)
           select $1, 'waiting-' || number, number,
             case when number <= ${ofOne} then 'hot'
               else 'item-' || (number % ${endpoints.length * itemsOfEach}) end,
             address, 'ITEM', 'NEW_ACCOUNTS_AVAILABLE',
             '{"webhook_type":"ITEM","webhook_code":"NEW_ACCOUNTS_AVAILABLE","item_id":"waiting"}',
             'pending', ${now} - ${count} + number
           from waiting join trust_endpoints on trust_endpoints.place =
             case when number <= ${ofOne} then 0
               else number % ${endpoints.length} end`,
        [firstClient.clientId],
      ),
    )
  }
  await database.transaction((db) => db.run('drop table trust_endpoints'))
  if (database.shared) await database.transaction((db) => db.run('analyze webhook_deliveries'))
  await database.close()
}
