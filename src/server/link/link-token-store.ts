import { insertRow } from '../db/insert-rows.ts'
import type { Context } from '../kernel/context.ts'
import { ApiError } from '../kernel/errors.ts'
import type { BodyOf } from '../kernel/operation.ts'
import { requireUserById } from '../users/store.ts'

/** A link token. Its JSON is decrypted where it is encrypted in the table. */
export interface LinkTokenRow {
  link_token: string
  created_at: string
  /** In ms by the client's clock. */
  expires_at: number
  page_expires_at: number
  client_name: string
  language: string
  /** JSON arrays, as the two that follow. */
  country_codes: string
  products: string
  optional_products: string
  webhook: string | null
  institution_id: string | null
  /** JSON. Null where all accounts can be shared. */
  account_filters: string | null
  days_requested: number
  redirect_uri: string | null
  /** The Item of the update flow. */
  item_id: string | null
  user_id: string | null
  /** JSON, as the one that follows. */
  user_data: string | null
  identity_verification: string | null
}

const columns = `link_token, created_at, expires_at, page_expires_at, client_name, language, country_codes,
  products, optional_products, webhook, institution_id, account_filters, days_requested, redirect_uri,
  item_id, user_id, user_data, identity_verification`

export const insertLinkToken = (
  ctx: Context,
  row: LinkTokenRow,
  pageKey: string,
): Promise<boolean> =>
  insertRow(ctx, 'link_tokens', {
    ...row,
    token_hash: ctx.keys.hash(row.link_token),
    page_hash: ctx.keys.hash(pageKey),
    link_token: ctx.keys.encrypt(row.link_token),
    user_data: row.user_data === null ? null : ctx.keys.encrypt(row.user_data),
  })

/** A link token that has not expired by the client's clock. */
export async function requireLinkToken(ctx: Context, linkToken: string): Promise<LinkTokenRow> {
  const row = await ctx.own.first<LinkTokenRow>(
    `select ${columns} from link_tokens
      where client_id = $1 and token_hash = $2 and expires_at > $3`,
    [ctx.keys.hash(linkToken), ctx.nowMs],
  )
  if (!row) throw new ApiError('INVALID_LINK_TOKEN')
  const user_data = row.user_data === null ? null : ctx.keys.decrypt(row.user_data)
  return { ...row, link_token: linkToken, user_data }
}

/** A link token as the hosted pages need it; sessions name it by its hash. */
export type PageToken = LinkTokenRow & {
  token_hash: string
  environment: Context['settings']['environment']
}

/** The link token whose page a key opens, until the page ends by the client's clock. */
export const findTokenOfPage = async (ctx: Context, secret: string) =>
  toPageToken(
    ctx,
    await ctx.own.first<Omit<PageToken, 'environment'>>(
      `select token_hash, ${columns} from link_tokens
        where client_id = $1 and page_hash = $2 and page_expires_at > $3`,
      [ctx.keys.hash(secret), ctx.nowMs],
    ),
  )

/** The link token of a session, until it expires by the client's clock. */
export const findTokenOfSession = async (ctx: Context, tokenHash: string) =>
  toPageToken(
    ctx,
    await ctx.own.first<Omit<PageToken, 'environment'>>(
      `select token_hash, ${columns} from link_tokens
        where client_id = $1 and token_hash = $2 and expires_at > $3`,
      [tokenHash, ctx.nowMs],
    ),
  )

/** The same at any time: work that was begun comes to its end. */
export const findTokenOfWork = async (ctx: Context, tokenHash: string) =>
  toPageToken(
    ctx,
    await ctx.own.first<Omit<PageToken, 'environment'>>(
      `select token_hash, ${columns} from link_tokens where client_id = $1 and token_hash = $2`,
      [tokenHash],
    ),
  )

/** The pages show nothing of what the client knows of its user. */
const toPageToken = (
  { keys, settings }: Context,
  row: Omit<PageToken, 'environment'> | undefined,
): PageToken | undefined =>
  row && {
    ...row,
    link_token: keys.decrypt(row.link_token),
    user_data: null,
    environment: settings.environment,
  }

/** The user whom a link token is for. */
export interface TokenUser {
  client_user_id: string
  /** What the client knows of them. */
  data: BodyUser | null
}

/** The client's own id of the user whom a link token is for. */
export const requireClientUserId = async (ctx: Context, tokenHash: string): Promise<string> =>
  (await findUserOfToken(ctx, tokenHash)).client_user_id

/** The user whom a link token is for, as the client described them. */
export async function findUserOfToken(ctx: Context, tokenHash: string): Promise<TokenUser> {
  const row = await ctx.own.first<{ user_data: string | null; user_id: string | null }>(
    'select user_data, user_id from link_tokens where client_id = $1 and token_hash = $2',
    [tokenHash],
  )
  if (row?.user_data != null) {
    const data = JSON.parse(ctx.keys.decrypt(row.user_data)) as BodyUser
    return { client_user_id: data.client_user_id, data }
  }
  if (row?.user_id == null) throw new Error('a link token is for nobody')
  const { client_user_id } = await requireUserById(ctx, row.user_id)
  return { client_user_id, data: null }
}

type BodyUser = NonNullable<BodyOf<'linkTokenCreate'>['user']>

/** A time that a user began to link. */
export interface LinkSessionRow {
  link_session_id: string
  sequence: number
  started_at: string
  finished_at: string | null
  /** Null while the session goes on. */
  status: 'SUCCESS' | 'EXITED' | null
  /** Why the user left, as a key of the catalogue. */
  exit_error: string | null
  /** JSON, as the two that follow. */
  institution: string | null
  events: string
  results: string | null
}

/** The sessions of a link token, oldest first. */
export async function listLinkSessions(ctx: Context, linkToken: string): Promise<LinkSessionRow[]> {
  const rows = await ctx.own.all<LinkSessionRow>(
    `select link_session_id, sequence, started_at, finished_at, status, exit_error, institution,
        events, results
      from link_sessions where client_id = $1 and token_hash = $2 order by sequence`,
    [ctx.keys.hash(linkToken)],
  )
  return rows.map((row) => ({
    ...row,
    results: row.results === null ? null : ctx.keys.decrypt(row.results),
  }))
}

export const insertLinkSession = (
  ctx: Context,
  linkToken: string,
  row: LinkSessionRow,
): Promise<boolean> =>
  insertRow(ctx, 'link_sessions', {
    ...row,
    token_hash: ctx.keys.hash(linkToken),
    results: row.results === null ? null : ctx.keys.encrypt(row.results),
  })
