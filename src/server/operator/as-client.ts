import { findClient } from '../clients/store.ts'
import type { Context } from '../kernel/context.ts'
import type { Service } from '../kernel/service.ts'
import { createContext } from '../pipeline/create-context.ts'
import { OperatorError } from './operator-error.ts'

/** Does work for a client in one transaction, and what is due for it after the commit. */
export async function asClient<Result>(
  service: Service,
  clientId: string,
  work: (ctx: Context) => Promise<Result>,
): Promise<Result> {
  let hasWork = false
  const result = await service.database.transaction(
    async (db) => {
      const client = await findClient(db, clientId)
      if (!client) throw new OperatorError(`there is no client ${clientId}`)
      const now = service.clock() + client.clock_offset_ms
      const open = createContext(service, db, { client, now })
      const done = await work(open.ctx)
      hasWork = open.hasWork()
      return done
    },
    { owner: clientId },
  )
  if (hasWork) service.runner.wake()
  return result
}
