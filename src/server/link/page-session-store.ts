import { insertRow } from '../db/insert-rows.ts'
import type { Context } from '../kernel/context.ts'
import type { LinkSessionRow } from './link-token-store.ts'

/** A session of the hosted pages. */
export interface PageSessionRow extends LinkSessionRow {
  token_hash: string
  browser_hash: string
  /** Which session of its link token it is, from 1. */
  attempt: number
  /** How many forms were accepted. A form that was made for another number is out of date. */
  turn: number
  step: string
  /** JSON. */
  answers: string
  /** JSON: what a connector has asked and got. Encrypted in the table. */
  connection: string | null
}

const columns = `token_hash, link_session_id, sequence, started_at, finished_at, status, exit_error,
  institution, events, results, browser_hash, attempt, turn, step, answers, connection`

/** The session of a browser, by the secret of its cookie. */
export const findPageSession = async (ctx: Context, secret: string) =>
  toOpened(
    ctx,
    await ctx.own.first<PageSessionRow>(
      `select ${columns} from link_sessions where client_id = $1 and browser_hash = $2`,
      [ctx.keys.hash(secret)],
    ),
  )

/** A session, for work that goes on without its browser. */
export const findSession = async (
  ctx: Context,
  { token_hash, link_session_id }: Pick<PageSessionRow, 'token_hash' | 'link_session_id'>,
) =>
  toOpened(
    ctx,
    await ctx.own.first<PageSessionRow>(
      `select ${columns} from link_sessions
        where client_id = $1 and token_hash = $2 and link_session_id = $3`,
      [token_hash, link_session_id],
    ),
  )

/** The newest session that the hosted pages began for a link token. */
export const findLatestPageSession = async (ctx: Context, tokenHash: string) =>
  toOpened(
    ctx,
    await ctx.own.first<PageSessionRow>(
      `select ${columns} from link_sessions
        where client_id = $1 and token_hash = $2 and browser_hash is not null
        order by sequence desc limit 1`,
      [tokenHash],
    ),
  )

const toOpened = ({ keys }: Context, row: PageSessionRow | undefined): PageSessionRow | undefined =>
  row && { ...row, connection: row.connection === null ? null : keys.decrypt(row.connection) }

const toSealed = ({ keys }: Context, { connection }: PageSessionRow): string | null =>
  connection === null ? null : keys.encrypt(connection)

export const insertPageSession = (ctx: Context, row: PageSessionRow): Promise<boolean> =>
  insertRow(ctx, 'link_sessions', { ...row, connection: toSealed(ctx, row) })

/** Writes what a step changes of a session that goes on. */
export const updatePageSession = (ctx: Context, row: PageSessionRow): Promise<number> =>
  ctx.own.run(
    `update link_sessions set browser_hash = $4, turn = $5, step = $6, answers = $7, events = $8,
        institution = $9, exit_error = $10, connection = $11
      where client_id = $1 and token_hash = $2 and link_session_id = $3`,
    [
      row.token_hash,
      row.link_session_id,
      row.browser_hash,
      row.turn,
      row.step,
      row.answers,
      row.events,
      row.institution,
      row.exit_error,
      toSealed(ctx, row),
    ],
  )

/** Writes the end of a session. */
export const endPageSession = (ctx: Context, row: PageSessionRow): Promise<number> =>
  ctx.own.run(
    `update link_sessions set finished_at = $4, status = $5, results = $6, turn = $7, step = $8,
        events = $9, exit_error = $10, connection = null
      where client_id = $1 and token_hash = $2 and link_session_id = $3`,
    [
      row.token_hash,
      row.link_session_id,
      row.finished_at,
      row.status,
      row.results === null ? null : ctx.keys.encrypt(row.results),
      row.turn,
      row.step,
      row.events,
      row.exit_error,
    ],
  )
