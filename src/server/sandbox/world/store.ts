import type { Context } from '../../kernel/context.ts'
import type { Queries } from '../../kernel/database.ts'

interface InjectedErrorRow {
  client_id: string
  injection_id: string
  fault: string
  times: number
}

interface Place {
  clientId: string
  operationId: string
  accessTokenHash: string | undefined
}

/** The oldest fault that applies to a call. */
export const findInjectedError = (db: Queries, place: Place) =>
  db.first<InjectedErrorRow>(
    `select client_id, injection_id, fault, times from injected_errors
      where client_id = $1 and operation_id = $2
        and (access_token_hash is null or access_token_hash = $3)
      order by sequence limit 1`,
    [place.clientId, place.operationId, place.accessTokenHash ?? null],
  )

/** Counts one use of a fault, and removes it after the last. */
export async function spendInjectedError(db: Queries, row: InjectedErrorRow): Promise<void> {
  const key = [row.client_id, row.injection_id]
  if (row.times > 1) {
    await db.run(
      `update injected_errors set times = times - 1
        where client_id = $1 and injection_id = $2`,
      key,
    )
    return
  }
  await db.run('delete from injected_errors where client_id = $1 and injection_id = $2', key)
  await countInjections(db, row.client_id)
}

/** Stores in the client's row whether any fault is left, so other calls need no search. */
async function countInjections(db: Queries, clientId: string): Promise<void> {
  await db.run(
    `update clients set injections =
       (select count(*) from injected_errors where client_id = $1) where client_id = $1`,
    [clientId],
  )
}

interface NewInjection {
  operation_id: string
  access_token_hash: string | null
  fault: object
  times: number
}

/** Returns the id of the fault. */
export async function insertInjectedError(ctx: Context, injection: NewInjection): Promise<string> {
  const id = ctx.newId('uuid')
  await ctx.own.run(
    `insert into injected_errors
       (client_id, injection_id, operation_id, access_token_hash, fault, times, sequence)
     values ($1, $2, $3, $4, $5, $6,
       (select coalesce(max(sequence), 0) + 1 from injected_errors where client_id = $1))`,
    [
      id,
      injection.operation_id,
      injection.access_token_hash,
      JSON.stringify(injection.fault),
      injection.times,
    ],
  )
  await countInjections(ctx.db, ctx.client.client_id)
  return id
}

/** Deletes a fault. Returns false if there is none with this id. */
export async function deleteInjectedError(ctx: Context, id: string): Promise<boolean> {
  const deleted = await ctx.own.run(
    'delete from injected_errors where client_id = $1 and injection_id = $2',
    [id],
  )
  await countInjections(ctx.db, ctx.client.client_id)
  return deleted > 0
}

export async function deleteInjectedErrors(ctx: Context): Promise<void> {
  await ctx.own.run('delete from injected_errors where client_id = $1')
  await countInjections(ctx.db, ctx.client.client_id)
}
