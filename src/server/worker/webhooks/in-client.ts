import { findClient } from '../../clients/store.ts'
import type { Context } from '../../kernel/context.ts'
import type { Queries, TransactionOptions } from '../../kernel/database.ts'
import type { Service } from '../../kernel/service.ts'
import { createContext } from '../../pipeline/create-context.ts'
import type { DeliveryKey } from '../../queue/webhook-store.ts'

/**
 * Works for a delivery's client, with that client's time in ms, and whether production stores its
 * bodies, too.
 */
export type InClient<Result> = (ctx: Context, now: number, keepsBodies: boolean) => Promise<Result>

/** The same as work on a database. Undefined without the client. */
export const inClient =
  <Result>(service: Service, key: DeliveryKey, work: InClient<Result>) =>
  async (db: Queries): Promise<Result | undefined> => {
    const client = await findClient(db, key.client_id)
    if (!client) return undefined
    const now = service.clock() + client.clock_offset_ms
    const keepsBodies = Number(client.keeps_bodies_until ?? 0) > service.clock()
    return work(createContext(service, db, { client, now }).ctx, now, keepsBodies)
  }

/** Runs `work` in a transaction. It locks the delivery first, and depends on no other row that may change. */
export const inContext = <Result>(
  service: Service,
  key: DeliveryKey,
  work: InClient<Result>,
  options: Pick<TransactionOptions, 'mayBeLost'> = {},
): Promise<Result | undefined> =>
  service.database.transaction(inClient(service, key, work), {
    isolation: 'row',
    owner: key.client_id,
    ...options,
  })
