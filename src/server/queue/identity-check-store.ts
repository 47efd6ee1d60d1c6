import { insertRow } from '../db/insert-rows.ts'
import type { Context } from '../kernel/context.ts'
import type { Queries } from '../kernel/database.ts'

/** A check that is to be submitted to a provider, or whose result is awaited. Times are real ms. */
export interface CheckRow {
  client_id: string
  check_id: string
  attempt_id: string
  step: string
  /** Encrypted JSON of what is sent beside the attempt. */
  payload: string | null
  /** When the provider took it. */
  submitted_at: number | null
  created_at: number
  due_at: number
  leased_until: number
  fence: number
  /** Counts the calls since the last one that changed something. */
  calls: number
  failure: string | null
}

const columns = `client_id, check_id, attempt_id, step, payload, submitted_at, created_at, due_at,
  leased_until, fence, calls, failure`

/** Identifies a check among those of all clients. */
export type CheckKey = Pick<CheckRow, 'client_id' | 'check_id'>

type NewCheck = Pick<
  CheckRow,
  'check_id' | 'attempt_id' | 'step' | 'payload' | 'created_at' | 'due_at'
>

export const insertCheck = (ctx: Context, row: NewCheck): Promise<boolean> =>
  insertRow(ctx, 'identity_checks', { ...row })

export const findCheck = (ctx: Context, checkId: string) =>
  ctx.own.first<CheckRow>(
    `select ${columns} from identity_checks where client_id = $1 and check_id = $2`,
    [checkId],
  )

/** A batch of what is due and nobody works on, the longest wait first. */
export const listDueChecks = (db: Queries, now: number, most: number) =>
  db.all<CheckKey>(
    `select client_id, check_id from identity_checks where due_at <= $1 and leased_until <= $1
      order by due_at limit ${most}`,
    [now],
  )

/** When the next check becomes due, or the lease of one ends that is due; null for none. */
export const findNextCheck = async (db: Queries, now: number): Promise<number | null> => {
  const row = await db.first<{ due: number | null; lease: number | null }>(
    `select (select min(due_at) from identity_checks where due_at > $1) as due,
        (select min(leased_until) from identity_checks
          where due_at <= $1 and leased_until > $1) as lease`,
    [now],
  )
  const times = [row?.due, row?.lease].filter((time) => typeof time === 'number')
  return times.length === 0 ? null : Math.min(...times)
}

/** Claims a check as it was read. Returns false if somebody else was faster. */
export const claimCheck = async (
  ctx: Context,
  { check_id, fence }: CheckRow,
  now: number,
  leasedUntil: number,
): Promise<boolean> =>
  (await ctx.own.run(
    `update identity_checks set leased_until = $5, fence = fence + 1
      where client_id = $1 and check_id = $2 and fence = $3 and leased_until <= $4`,
    [check_id, fence, now, leasedUntil],
  )) > 0

/** What a call leaves of a check that goes on. */
type Progress = Pick<CheckRow, 'submitted_at' | 'due_at' | 'calls' | 'failure'>

/** Ends a claim whose check goes on. Returns false if it is no longer the latest one. */
export const continueCheck = async (
  ctx: Context,
  { check_id, fence }: CheckRow,
  { submitted_at, due_at, calls, failure }: Progress,
): Promise<boolean> =>
  (await ctx.own.run(
    `update identity_checks
      set leased_until = 0, submitted_at = $4, due_at = $5, calls = $6, failure = $7
      where client_id = $1 and check_id = $2 and fence = $3`,
    [check_id, fence, submitted_at, due_at, calls, failure],
  )) > 0

/** Deletes a check that has ended. Returns false if the claim is no longer the latest one. */
export const deleteCheck = async (
  ctx: Context,
  { check_id, fence }: Pick<CheckRow, 'check_id' | 'fence'>,
): Promise<boolean> =>
  (await ctx.own.run(
    'delete from identity_checks where client_id = $1 and check_id = $2 and fence = $3',
    [check_id, fence],
  )) > 0
