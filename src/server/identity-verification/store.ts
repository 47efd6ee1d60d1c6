import type { IdentityVerificationStatus } from '#contract/closed.ts'
import type { Context } from '../kernel/context.ts'
import type { Queries } from '../kernel/database.ts'
import { ApiError, invalidField } from '../kernel/errors.ts'
import type { StepName } from './step.ts'

/** A template in the version that new attempts follow. */
export interface TemplateRow {
  template_id: string
  version: number
  /** A JSON array of step names. */
  steps: string
}

export interface AttemptRow {
  id: string
  client_user_id: string
  user_id: string | null
  template_id: string
  template_version: number
  previous_attempt_id: string | null
  gave_consent: number
  /** Encrypted. */
  share_key: string | null
  status: IdentityVerificationStatus
  /** JSON of `Steps`. */
  steps: string
  /** JSON of `KnownUser`; of its id number only the type. */
  user_data: string
  /** Encrypted. */
  id_number_value: string | null
  watchlist_screening_id: string | null
  created_at: string
  completed_at: string | null
  /** Counts the changes. */
  revision: number
  /** JSON of `Decision[]`. */
  decisions: string
  /** 1: a reviewer has rejected it, or it was retried. */
  review_closed: number
  /** Encrypted JSON of `Evidence`. */
  evidence: string | null
  /** JSON of `ListedPicture[]`. */
  pictures: string
  /** Encrypted JSON of what providers found, by step; null where none did. */
  results: string | null
}

const columns = `id, client_user_id, user_id, template_id, template_version,
  previous_attempt_id, gave_consent, share_key, status, steps, user_data, id_number_value,
  watchlist_screening_id, created_at, completed_at, revision, decisions, review_closed, evidence,
  pictures, results`

/** A template of the client's own or of every world, in its latest version. */
export const findTemplate = (ctx: Context, templateId: string) =>
  ctx.own.first<TemplateRow>(
    `select template_id, version, steps from identity_verification_templates
      where client_id in ('', $1) and template_id = $2
      order by version desc, client_id desc limit 1`,
    [templateId],
  )

/** A template with its client and name. */
export interface NamedTemplate extends TemplateRow {
  client_id: string
  name: string | null
}

/** All templates of clients, each in its latest version. */
export const listTemplates = (db: Queries) =>
  db.all<NamedTemplate>(
    `select client_id, template_id, version, name, steps from identity_verification_templates one
      where client_id <> '' and version =
        (select max(version) from identity_verification_templates
          where client_id = one.client_id and template_id = one.template_id)
      order by client_id, template_id`,
  )

export async function requireTemplate(ctx: Context, templateId: string): Promise<TemplateRow> {
  const template = await findTemplate(ctx, templateId)
  if (template) return template
  throw new ApiError('INVALID_FIELD', {
    message: '`template_id` must name one of your templates',
    action:
      'Send the id of a template; in the sandbox, `/sandbox/identity_verification_template/create` makes one.',
  })
}

/** A template as it is made; without a client it is one of every world. */
interface NewTemplate {
  client_id: string
  template_id: string
  name?: string | null
  /** Left out, the one after the latest. */
  version?: number
  steps: readonly StepName[]
}

/** Writes a version of a template, and returns its number. */
export async function insertTemplate(db: Queries, template: NewTemplate): Promise<number> {
  const { client_id, template_id, name = null, version = null, steps } = template
  const row = await db.first<{ version: number }>(
    `insert into identity_verification_templates (client_id, template_id, version, name, steps)
     values ($1, $2,
       coalesce(cast($3 as integer),
         (select coalesce(max(version), 0) + 1 from identity_verification_templates
           where client_id in ('', $1) and template_id = $2)),
       $4, $5)
     returning version`,
    [client_id, template_id, version, name, JSON.stringify(steps)],
  )
  if (!row) throw new Error('a template was not written')
  return row.version
}

export const findAttempt = (ctx: Context, id: string) =>
  ctx.own.first<AttemptRow>(
    `select ${columns} from identity_verifications where client_id = $1 and id = $2`,
    [id],
  )

export async function requireAttempt(ctx: Context, id: string): Promise<AttemptRow> {
  const row = await findAttempt(ctx, id)
  if (row) return row
  throw invalidField('`identity_verification_id` must name one of your identity verifications')
}

/** The newest attempt of a user at a template. */
export const findLatestAttempt = (ctx: Context, clientUserId: string, templateId: string) =>
  ctx.own.first<AttemptRow>(
    `select ${columns} from identity_verifications
      where client_id = $1 and client_user_id = $2 and template_id = $3
      order by created_at desc, sequence desc limit 1`,
    [clientUserId, templateId],
  )

/** Which attempts to list; what is undefined does not matter. */
export interface AttemptFilter {
  template_id: string
  client_user_id: string | undefined
  user_id: string | undefined
}

/** Where an attempt is in the list; those of one second are told apart by their sequence numbers. */
export interface AttemptPlace {
  created_at: string
  sequence: number
}

/** Attempts after a place of the list, newest first. */
export function listAttempts(
  ctx: Context,
  filter: AttemptFilter,
  after: AttemptPlace,
  count: number,
): Promise<(AttemptRow & AttemptPlace)[]> {
  const { template_id, client_user_id, user_id } = filter
  const values = [ctx.client.client_id, template_id, after.created_at, after.sequence, count]
  const and = (column: string, value: string | undefined) => {
    if (value === undefined) return ''
    return `and ${column} = $${values.push(value)}`
  }
  return ctx.db.all<AttemptRow & AttemptPlace>(
    `select sequence, ${columns} from identity_verifications
      where client_id = $1 and template_id = $2 and (created_at, sequence) < ($3, $4)
        ${and('client_user_id', client_user_id)} ${and('user_id', user_id)}
      order by created_at desc, sequence desc limit $5`,
    values,
  )
}

/** Writes an attempt; false: it would be a second first one of its user at its template. */
export async function insertAttempt(ctx: Context, row: AttemptRow): Promise<boolean> {
  const written = await ctx.own.run(
    `insert into identity_verifications (client_id, sequence, ${columns})
     values ($1,
       (select coalesce(max(sequence), 0) + 1 from identity_verifications
         where client_id = $1 and template_id = $5),
       $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
       $21, $22)
     on conflict (client_id, client_user_id, template_id)
       where previous_attempt_id is null do nothing`,
    [
      row.id,
      row.client_user_id,
      row.user_id,
      row.template_id,
      row.template_version,
      row.previous_attempt_id,
      row.gave_consent,
      row.share_key,
      row.status,
      row.steps,
      row.user_data,
      row.id_number_value,
      row.watchlist_screening_id,
      row.created_at,
      row.completed_at,
      row.revision,
      row.decisions,
      row.review_closed,
      row.evidence,
      row.pictures,
      row.results,
    ],
  )
  return written > 0
}

/**
 * Writes all of an attempt that changes while it runs, and counts the change. Returns whether the
 * attempt was still as it had been read.
 */
export async function updateAttempt(ctx: Context, row: AttemptRow): Promise<boolean> {
  const written = await ctx.own.run(
    `update identity_verifications
      set status = $3, steps = $4, user_data = $5, id_number_value = $6,
        watchlist_screening_id = $7, completed_at = $8, decisions = $9, review_closed = $10,
        evidence = $11, pictures = $12, results = $13, revision = revision + 1
      where client_id = $1 and id = $2 and revision = $14`,
    [
      row.id,
      row.status,
      row.steps,
      row.user_data,
      row.id_number_value,
      row.watchlist_screening_id,
      row.completed_at,
      row.decisions,
      row.review_closed,
      row.evidence,
      row.pictures,
      row.results,
      row.revision,
    ],
  )
  return written > 0
}

/** The pictures that an attempt lists; undefined for an attempt that does not exist. */
export const findPicturesOf = (db: Queries, clientId: string, id: string) =>
  db.first<Pick<AttemptRow, 'pictures'>>(
    'select pictures from identity_verifications where client_id = $1 and id = $2',
    [clientId, id],
  )
