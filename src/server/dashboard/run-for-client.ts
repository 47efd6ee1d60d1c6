import type { StoredClient } from '../clients/store.ts'
import type { Context } from '../kernel/context.ts'
import type { Queries } from '../kernel/database.ts'
import { createContext, type OpenContext } from '../pipeline/create-context.ts'
import type { Body } from '../pipeline/parse-body.ts'
import { followCommit } from '../pipeline/pipeline.ts'
import type { PipelineService } from '../pipeline/pipeline-service.ts'
import { readOnly, WriteNeeded } from '../pipeline/read-only.ts'

/** A handler of a client's data, with what it says of its work. */
export type ClientHandler<Extra> = { reads?: boolean; isApart?: boolean } & ((
  ctx: Context & Extra,
  request: { body: Body },
) => Promise<object>)

/** What a handler is given. */
interface Given<Extra> {
  client: StoredClient
  body: Body
  /** What its context has beside that of the client. */
  extra: Extra
}

/** Runs a handler in one read, or in one transaction. */
export async function runForClient<Extra extends object>(
  service: PipelineService,
  handler: ClientHandler<Extra>,
  { client, body, extra }: Given<Extra>,
): Promise<object> {
  let open: OpenContext | undefined
  const work = (db: Queries) => {
    open = createContext(service, db, { client, now: service.clock() + client.clock_offset_ms })
    return handler({ ...open.ctx, ...extra }, { body })
  }
  const { database } = service
  if (handler.isApart) return work(database.single)
  const write = () => database.transaction(work, { owner: client.client_id })
  const result = await (handler.reads
    ? database
        .read((db) => work(readOnly(db)))
        .catch((error) => {
          if (error instanceof WriteNeeded) return write()
          throw error
        })
    : write())
  await followCommit(open?.afterCommit ?? [])
  if (open?.hasWork()) service.runner.wake(open.urls)
  return result
}
