import type { AccountKind } from '#contract/closed.ts'
import { requireInstitutionIn } from '../institutions/require-institution.ts'
import type { Context } from '../kernel/context.ts'
import { ApiError } from '../kernel/errors.ts'
import type { PageSessionRow } from '../link/page-session-store.ts'
import type {
  Ask,
  Authorized,
  ChosenAccount,
  Connector,
  LinkRest,
  Question,
  Rejection,
} from '../sources/connector.ts'
import type { KeptRejection } from './kept-rejection.ts'
import type { Visit } from './visit.ts'

/** What a connector has asked and got in a session. */
export interface Connection {
  /** The question that is open; left out, the first one. */
  question?: Question
  /** Since when an answer is being worked on, in ms by the client's clock. */
  since?: number
  /** What the user has authorized, and at which connector. */
  done?: Omit<Authorized, 'kind'> & { connector: string }
  /** How the user answered the question about columns, for a user who goes back to it. */
  columns?: readonly (readonly [name: string, value: string])[]
  /** What the user said of accounts, by their id. */
  kinds?: Readonly<Record<string, AnsweredKind>>
  /** The forms that were rejected since the last accepted one, the newest last. */
  rejections?: readonly KeptRejection[]
  /** What is being linked, in transactions of its own. */
  adding?: Adding
  /** Why that did not come to its end. */
  failed?: Rejection
}

/** What is being linked while the user waits. */
export interface Adding {
  accounts: readonly ChosenAccount[]
  rest: LinkRest
  /** When the last part was linked, in ms by the client's clock. */
  at?: number
}

/** What a source did not tell of an account. */
export interface AnsweredKind {
  kind?: AccountKind
  /** In minor units from the customer's view. */
  balance?: number
  number?: string
  currency?: string
}

/** Longer than a connector waits for anybody: after it, the process that did the work has ended. */
const mostWorkMs = 60_000

export const readConnection = ({ connection }: PageSessionRow): Connection =>
  connection === null ? {} : (JSON.parse(connection) as Connection)

/** Whether an answer is being worked on. */
export const isBusy = ({ connection: { since }, ctx }: Pick<Visit, 'connection' | 'ctx'>) =>
  since !== undefined && ctx.nowMs < since + mostWorkMs

/** A part takes seconds, so nothing goes on by itself soon. */
const mostPartMs = 180_000

/** Whether the work for a user who waits has come to a halt. */
export const isStalled = ({ connection: { adding }, ctx }: Pick<Visit, 'connection' | 'ctx'>) =>
  adding?.at !== undefined && ctx.nowMs > adding.at + mostPartMs

/** The connector of a session, and its institution. */
export interface Connected {
  connector: Connector
  institution: Ask['institution']
}

/** What tells who is being linked with what. */
export type Linking = Pick<Visit, 'ctx' | 'ways' | 'token' | 'session' | 'answers' | 'connection'>

/** @throws ApiError where the institution is gone, or served by nothing that this service has */
export async function findConnected(
  visit: Omit<Linking, 'connection' | 'session'>,
): Promise<Connected> {
  const { ctx, ways, answers, token } = visit
  const countries = JSON.parse(token.country_codes)
  const id = answers.institution?.institution_id ?? ''
  const row = await requireInstitutionIn(ctx, id, countries)
  const serving = row.connector ?? ''
  const connector = Object.hasOwn(ways.connectors, serving) ? ways.connectors[serving] : undefined
  if (!connector) throw new ApiError('INVALID_INSTITUTION')
  const { institution_id, name, connector_settings } = row
  const settings: unknown = JSON.parse(connector_settings ?? '{}')
  return { connector, institution: { institution_id, name, settings } }
}

/** Deletes what connectors have staged, where a session ends or goes on with something else. */
export async function discardStaged(
  ctx: Context,
  { connectors }: Visit['ways'],
  { done, question }: Connection,
  after: Connection = {},
): Promise<void> {
  if (done && done.secret !== after.done?.secret) {
    await connectors[done.connector]?.discard?.(ctx, done.secret)
  }
  if (question?.kind !== 'columns' || question === after.question) return
  await connectors['file']?.discard?.(ctx, question.secret)
}

/** The same, and what the user has authorized ends at its source, where it becomes no Item. */
export async function giveBack(
  ctx: Context,
  ways: Visit['ways'],
  before: Connection,
  after: Connection = {},
): Promise<void> {
  await discardStaged(ctx, ways, before, after)
  const { done } = before
  if (!done || JSON.stringify(done.secret) === JSON.stringify(after.done?.secret)) return
  await ways.connectors[done.connector]?.abandon?.(ctx, done.secret)
}
