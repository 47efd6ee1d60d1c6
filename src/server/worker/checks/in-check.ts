import { findClient } from '../../clients/store.ts'
import type { Context } from '../../kernel/context.ts'
import type { Service } from '../../kernel/service.ts'
import { createContext } from '../../pipeline/create-context.ts'
import { type CheckKey, type CheckRow, findCheck } from '../../queue/identity-check-store.ts'

/** A check that another process has taken over, or that is no longer needed. */
export class LostCheck extends Error {}

/** Does work for the client of a check in one transaction, and what is due for it after the commit. */
export async function inClient<Result>(
  service: Service,
  { client_id }: CheckKey,
  work: (ctx: Context) => Promise<Result>,
): Promise<Result> {
  let hasWork = false
  const result = await service.database.transaction(
    async (db) => {
      const client = await findClient(db, client_id)
      if (!client) throw new LostCheck()
      const now = service.clock() + client.clock_offset_ms
      const open = createContext(service, db, { client, now })
      const done = await work(open.ctx)
      hasWork = open.hasWork()
      return done
    },
    { owner: client_id },
  )
  if (hasWork) service.runner.wake()
  return result
}

/** The same for a claimed check. Throws `LostCheck` if the claim is no longer the latest one. */
export const inClaim = <Result>(
  service: Service,
  claimed: CheckRow,
  work: (ctx: Context) => Promise<Result>,
): Promise<Result> =>
  inClient(service, claimed, async (ctx) => {
    const row = await findCheck(ctx, claimed.check_id)
    if (row?.fence !== claimed.fence) throw new LostCheck()
    return work(ctx)
  })
