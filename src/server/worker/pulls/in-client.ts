import { findClient } from '../../clients/store.ts'
import { type ItemRow, lockItem } from '../../items/store.ts'
import type { Context } from '../../kernel/context.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { Service } from '../../kernel/service.ts'
import { createContext } from '../../pipeline/create-context.ts'
import { holdPull, type PullRow } from '../../queue/pull-store.ts'

/** A pull that another process has taken over, or whose Item was removed. What it read is discarded. */
export class LostClaim extends Error {}

/**
 * Does work for a claimed pull in one transaction, with its Item locked. Throws `LostClaim` if the
 * claim is no longer the latest one.
 */
export async function inClaim<Result>(
  service: Service,
  pull: PullRow,
  work: (ctx: Context, item: ItemRow) => Promise<Result>,
): Promise<Result> {
  let hasWork = false
  const result = await service.database.transaction(
    async (db) => {
      const client = await findClient(db, pull.client_id)
      if (!client) throw new LostClaim()
      const now = service.clock() + client.clock_offset_ms
      const open = createContext(service, db, { client, now })
      const item = await lock(open.ctx, pull)
      const done = await work(open.ctx, item)
      hasWork = open.hasWork()
      return done
    },
    { owner: pull.client_id },
  )
  if (hasWork) service.runner.wake()
  return result
}

/** Locks the Item first, in the order of every other change of an Item. */
async function lock(ctx: Context, pull: PullRow): Promise<ItemRow> {
  try {
    const item = await lockItem(ctx, pull.item_id)
    if (await holdPull(ctx, pull)) return item
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
  throw new LostClaim()
}
