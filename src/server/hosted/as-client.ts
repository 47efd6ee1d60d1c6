import { findClient } from '../clients/store.ts'
import type { Context } from '../kernel/context.ts'
import type { Queries } from '../kernel/database.ts'
import { ApiError } from '../kernel/errors.ts'
import type { Service } from '../kernel/service.ts'
import { createContext, type OpenContext } from '../pipeline/create-context.ts'
import { readOnly } from '../pipeline/read-only.ts'

type Work<Result> = (ctx: Context) => Promise<Result>

async function open(
  service: Service,
  db: Queries,
  clientId: string,
): Promise<OpenContext | undefined> {
  const client = await findClient(db, clientId)
  if (!client || client.disabled_at !== null) return undefined
  return createContext(service, db, { client, now: service.clock() + client.clock_offset_ms })
}

/** Reads for a client. Undefined where the client is unknown or disabled. */
export const readAsClient = <Result>(
  service: Service,
  clientId: string,
  work: Work<Result>,
): Promise<Result | undefined> =>
  service.database.read(async (db) => {
    const opened = await open(service, readOnly(db), clientId)
    return opened && work(opened.ctx)
  })

/** The same for a client that is there. @throws ApiError where it was disabled meanwhile */
export async function readFor<Result>(
  service: Service,
  clientId: string,
  work: Work<Result>,
): Promise<Result> {
  const done = await readAsClient(service, clientId, async (ctx) => ({ result: await work(ctx) }))
  if (!done) throw new ApiError('UNAUTHORIZED_ACCESS')
  return done.result
}

/** The same in a transaction, with the webhooks that it writes. */
export async function writeAsClient<Result>(
  service: Service,
  clientId: string,
  work: Work<Result>,
): Promise<Result | undefined> {
  let opened: OpenContext | undefined
  const result = await service.database.transaction(
    async (db) => {
      opened = await open(service, db, clientId)
      return opened && work(opened.ctx)
    },
    { owner: clientId },
  )
  opened?.tellImports()
  if (opened?.hasWork()) service.runner.wake(opened.urls)
  return result
}

/** The same for a client that is there. @throws ApiError where it was disabled meanwhile */
export async function writeFor<Result>(
  service: Service,
  clientId: string,
  work: Work<Result>,
): Promise<Result> {
  const done = await writeAsClient(service, clientId, async (ctx) => ({ result: await work(ctx) }))
  if (!done) throw new ApiError('UNAUTHORIZED_ACCESS')
  return done.result
}
