import { operations, validators } from '../../../generated/dashboard/operations.ts'
import type { Issue } from '../../validators/issues.ts'
import { findClient, type StoredClient } from '../clients/store.ts'
import type { Queries } from '../kernel/database.ts'
import { ApiError, type ErrorContext, invalidField } from '../kernel/errors.ts'
import { rejectIssues } from '../pipeline/check-fields.ts'
import type { CheckedRequest } from '../pipeline/check-request.ts'
import { createContext, type OpenContext } from '../pipeline/create-context.ts'
import { type Body, parseBody } from '../pipeline/parse-body.ts'
import type { WireAnswer } from '../pipeline/pipeline.ts'
import type { PipelineService } from '../pipeline/pipeline-service.ts'
import { readOnly, WriteNeeded } from '../pipeline/read-only.ts'
import { findSession, type SessionRow } from '../users/dashboard-access-store.ts'
import { hashAccessKey } from '../users/dashboard-sign-in.ts'
import { readCookie, writeCookie } from './cookie.ts'
import type { PageContext, PageOperationId, StoredCalls, Visit } from './page-handler.ts'
import type { IdentityProvider } from './provider/identity-provider.ts'
import { isOfSession, isOfVisit, requireRole, seesPersonalData } from './roles.ts'
import { isOwnPage, type Sender } from './sender.ts'

/** A request of a page as it arrived. */
export interface PageRequest {
  operationId: PageOperationId
  sender: Sender
  body: Uint8Array
}

type ClientHandler = { reads?: boolean; isApart?: boolean } & ((
  ctx: PageContext,
  request: { body: Body },
) => Promise<object>)
type SessionHandler = (visit: Visit, request: { body: Body }) => Promise<object>

/** The handlers by operation. The table in `boot` has a precise type for each. */
export interface PageHandlers {
  ofClient(operationId: PageOperationId): ClientHandler
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
    const body = await readBody(operationId, sender, bytes)
    if (visit.session) requireRole(operationId, visit.session.role)
    const result = isOfVisit(operationId)
      ? await handlers.ofVisit(operationId)(visit, { body })
      : await runForClient(visit as SignedIn, calls, handlers.ofClient(operationId), body)
    const answer = { ...result, request_id: context.requestId }
    checkAnswer(service, operationId, answer)
    return { status: 200, headers: { 'Cache-Control': 'no-store' }, body: answer, cookies }
  }
}

type SignedIn = Visit & { session: SessionRow }

async function openVisit(
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
async function requireClient({ service, session }: SignedIn, body: Body): Promise<StoredClient> {
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

async function runForClient(
  visit: SignedIn,
  calls: StoredCalls,
  handler: ClientHandler,
  body: Body,
): Promise<object> {
  const { service, session, sender } = visit
  const client = await requireClient(visit, body)
  const { client_id: _, ...rest } = body
  const { environment } = service.settings
  let open: OpenContext | undefined
  const work = (db: Queries) => {
    open = createContext(service, db, { client, now: service.clock() + client.clock_offset_ms })
    const seen = seesPersonalData(session.role, environment)
    const ctx = { ...open.ctx, service, session, sender, calls, seesPersonalData: seen }
    return handler(ctx, { body: rest })
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
  if (open?.hasWork()) service.runner.wake(open.urls)
  return result
}

/** Set in tests and development. */
function checkAnswer(service: PipelineService, operationId: PageOperationId, answer: object): void {
  // The check looks at the names of operation and document only.
  const described = { operationId, version: 'dashboard' } as unknown as CheckedRequest
  const problems = service.checkAnswer?.(described, answer) ?? []
  if (problems.length === 0) return
  throw new Error(`${operationId} does not answer as described: ${problems.join('; ')}`)
}
