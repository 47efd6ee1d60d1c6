import { insertRow } from '../db/insert-rows.ts'
import type { Context } from '../kernel/context.ts'
import type { Queries } from '../kernel/database.ts'

/** Why a page ended in a browser, while its attempt may go on. */
export type SessionEnd = 'left' | 'taken' | 'full'

/** A browser that the page of an attempt is open in. */
export interface VerificationSessionRow {
  session_id: string
  attempt_id: string
  sequence: number
  started_at: string
  /** In ms by the client's clock. */
  expires_at: number
  browser_hash: string
  /** How many forms were accepted. */
  turn: number
  ended: SessionEnd | null
  /** JSON, encrypted in the table. */
  drafts: string
  token_hash: string | null
  link_session_id: string | null
}

type StoredSession = Omit<VerificationSessionRow, 'drafts'> & { drafts: string | null }

const columns = `session_id, attempt_id, sequence, started_at, expires_at, browser_hash, turn, ended,
  drafts, token_hash, link_session_id`

const toOpened = (
  { keys }: Context,
  row: StoredSession | undefined,
): VerificationSessionRow | undefined =>
  row && { ...row, drafts: row.drafts === null ? '{}' : keys.decrypt(row.drafts) }

const toSealed = ({ keys }: Context, { drafts }: VerificationSessionRow): string | null =>
  drafts === '{}' ? null : keys.encrypt(drafts)

/** The session of a browser, by the secret of its cookie. */
export const findVerificationSession = async (ctx: Context, secret: string) =>
  toOpened(
    ctx,
    await ctx.own.first<StoredSession>(
      `select ${columns} from verification_sessions where client_id = $1 and browser_hash = $2`,
      [ctx.keys.hash(secret)],
    ),
  )

/** The sessions of an attempt, the newest first. */
export const listVerificationSessions = async (ctx: Context, attemptId: string, limit: number) => {
  const rows = await ctx.own.all<StoredSession>(
    `select ${columns} from verification_sessions where client_id = $1 and attempt_id = $2
      order by sequence desc limit $3`,
    [attemptId, limit],
  )
  return rows.map((row) => toOpened(ctx, row) as VerificationSessionRow)
}

export const insertVerificationSession = (
  ctx: Context,
  row: VerificationSessionRow,
): Promise<boolean> =>
  insertRow(ctx, 'verification_sessions', { ...row, drafts: toSealed(ctx, row) })

/** Writes what a form changes. False: another form was earlier. */
export const updateVerificationSession = async (
  ctx: Context,
  before: VerificationSessionRow,
  changes: Partial<VerificationSessionRow>,
): Promise<boolean> => {
  const row = { ...before, ...changes }
  const written = await ctx.own.run(
    `update verification_sessions set browser_hash = $3, turn = $4, ended = $5, drafts = $6
      where client_id = $1 and session_id = $2 and turn = $7`,
    [row.session_id, row.browser_hash, row.turn, row.ended, toSealed(ctx, row), before.turn],
  )
  return written > 0
}

/** The clients with an attempt of an id, and the keys of its links. Ids of seed data can repeat. */
export const listShareKeys = (db: Queries, id: string) =>
  db.all<{ client_id: string; share_key: string }>(
    `select client_id, share_key from identity_verifications
      where id = $1 and share_key is not null limit 100`,
    [id],
  )

/** What the client is called, where its operator has named it. */
export const findClientName = async ({ own }: Context): Promise<string | null> =>
  (
    await own.first<{ client_name: string | null }>(
      'select client_name from clients where client_id = $1',
    )
  )?.client_name ?? null
