import { operations, validators } from '../../../generated/dashboard/operations.ts'
import type { Issue } from '../../validators/issues.ts'
import { findClient, type StoredClient } from '../clients/store.ts'
import type { Context } from '../kernel/context.ts'
import { ApiError, type ErrorContext, invalidField } from '../kernel/errors.ts'
import { rejectIssues } from '../pipeline/check-fields.ts'
import { type Body, parseBody } from '../pipeline/parse-body.ts'
import type { WireAnswer } from '../pipeline/pipeline.ts'
import type { PipelineService } from '../pipeline/pipeline-service.ts'
import { findSession, type SessionRow } from '../users/dashboard-access-store.ts'
import { hashAccessKey } from '../users/dashboard-sign-in.ts'
import { readCookie, writeCookie } from './cookie.ts'
import type { PageContext, PageOperationId, StoredCalls, Visit } from './page-handler.ts'
import type { IdentityProvider } from './provider/identity-provider.ts'
import {
  isOfSession,
  isOfVisit,
  requireEnvironment,
  requireRole,
  seesPersonalData,
} from './roles.ts'
import { type ClientHandler, runForClient } from './run-for-client.ts'
import { isOwnPage, type Sender } from './sender.ts'

/** A request of a page as it arrived. */
export interface PageRequest {
  operationId: PageOperationId
  sender: Sender
  body: Uint8Array
}

type PageClientHandler = ClientHandler<Omit<PageContext, keyof Context>>
type SessionHandler = (visit: Visit, request: { body: Body }) => Promise<object>

/** The handlers by operation. The table in `boot` has a precise type for each. */
export interface PageHandlers {
  ofClient(operationId: PageOperationId): PageClientHandler
  ofVisit(operationId: PageOperationId): SessionHandler
}

/** An answer to a page, and the cookies that it sets. */
export type PageAnswer = WireAnswer & { cookies: readonly string[] }

type AnswerPage = (request: PageRequest, context: ErrorContext) => Promise<PageAnswer>

/**
 * The steps around the handlers of pages: the page must be our own, then come session, body and role,
 * then the handler in one read or one transaction.
 */
export function createPages(
  service: PipelineService,
  handlers: PageHandlers,
  calls: StoredCalls,
  provider: IdentityProvider | undefined,
): AnswerPage {
  return async ({ operationId, sender, body: bytes }, context) => {
    if (!isOwnPage(sender, service.publicUrl())) throw new ApiError('FOREIGN_PAGE')
    const cookies: string[] = []
    const visit = await openVisit(service, sender, provider, cookies)
    if (!visit.session && !isOfSession(operationId)) throw new ApiError('SIGN_IN_REQUIRED')
    // What production does not have is unknown there, to every role and with every body.
    requireEnvironment(operationId, service.settings.environment)
    const body = await readBody(operationId, sender, bytes)
    if (visit.session) requireRole(operationId, visit.session.role)
    const result = isOfVisit(operationId)
      ? await handlers.ofVisit(operationId)(visit, { body })
      : await runForUser(visit as SignedIn, calls, handlers.ofClient(operationId), body)
    const answer = { ...result, request_id: context.requestId }
    checkAnswer(service, operationId, answer)
    return { status: 200, headers: { 'Cache-Control': 'no-store' }, body: answer, cookies }
  }
}

export type SignedIn = Visit & { session: SessionRow }

export async function openVisit(
  service: PipelineService,
  sender: Sender,
  provider: IdentityProvider | undefined,
  cookies: string[],
): Promise<Visit> {
  const cookie: Visit['cookie'] = (name) =>
    readCookie(service.publicUrl(), name, sender.headers['cookie'] ?? '')
  const key = cookie('session')
  const found =
    key === undefined
      ? undefined
      : await findSession(
          service.database.single,
          hashAccessKey(service.keys, 'session', key),
          service.clock(),
        )
  return {
    service,
    sender,
    key,
    session: found?.status === 'active' ? found : undefined,
    provider,
    cookie,
    setCookie(name, value, seconds) {
      cookies.push(writeCookie(service.publicUrl(), name, value, seconds))
    },
  }
}

async function readBody(
  operationId: PageOperationId,
  { headers }: Sender,
  bytes: Uint8Array,
): Promise<Body> {
  const row = operations[operationId]
  const body = parseBody(bytes, headers['content-type'], row.mediaTypes)
  const { request } = await validators[operationId]()
  const issues: readonly Issue[] = request.issues(body)
  rejectIssues(issues, row)
  return body
}

/** Users of a client have that one. An operator names one. */
export async function requireClient(
  { service, session }: SignedIn,
  body: Body,
): Promise<StoredClient> {
  const named = body['client_id'] as string | undefined
  if (session.client_id !== '' && named !== undefined && named !== session.client_id) {
    throw new ApiError('ROLE_REQUIRED')
  }
  const id = session.client_id === '' ? named : session.client_id
  if (id === undefined) {
    throw new ApiError('MISSING_FIELDS', {
      message: 'missing fields: `client_id`',
      fields: [{ field: 'client_id', message: 'is required' }],
    })
  }
  const client = await findClient(service.database.single, id)
  if (!client) throw invalidField('`client_id` must be the id of a client')
  return client
}

async function runForUser(
  visit: SignedIn,
  calls: StoredCalls,
  handler: PageClientHandler,
  body: Body,
): Promise<object> {
  const { service, session, sender } = visit
  const client = await requireClient(visit, body)
  const { client_id: _, ...rest } = body
  const who = { actor: `dashboard:${session.user_id}`, address: sender.address }
  const seen = seesPersonalData(session.role, service.settings.environment)
  const extra = { service, session, sender, who, calls, seesPersonalData: seen }
  return runForClient(service, handler, { client, body: rest, extra })
}

/** Holds an answer against the contract, in tests and development. */
export function checkAnswer(
  service: PipelineService,
  operationId: PageOperationId,
  answer: object,
): void {
  const problems = service.checkAnswer?.({ operationId, version: 'dashboard' }, answer) ?? []
  if (problems.length === 0) return
  throw new Error(`${operationId} does not answer as described: ${problems.join('; ')}`)
}
