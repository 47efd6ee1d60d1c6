import type { operations } from '../../../generated/dashboard/closed.ts'
import type { OperationId, operations as rows } from '../../../generated/dashboard/operations.ts'
import type { Closed } from '../kernel/closed.ts'
import type { Context } from '../kernel/context.ts'
import type { AnyOperationId } from '../kernel/operation.ts'
import type { PipelineService } from '../pipeline/pipeline-service.ts'
import type { SessionRow } from '../users/dashboard-access-store.ts'
import type { CookieName } from './cookie.ts'
import type { IdentityProvider } from './provider/identity-provider.ts'
import type { Sender } from './sender.ts'

export type PageOperationId = OperationId

export type PageBody<Id extends OperationId> = Omit<
  operations[Id]['requestBody']['content']['application/json'],
  'client_id'
>

type PageAnswerOf<Id extends OperationId> = Closed<
  Omit<operations[Id]['responses'][200]['content']['application/json'], 'request_id'>
>

/** What handlers of a session may use: nothing of a client. */
export interface Visit {
  service: PipelineService
  sender: Sender
  /** The key of the session's cookie, if there is one. */
  key: string | undefined
  /** The session, while it lasts. */
  session: SessionRow | undefined
  setCookie(cookie: CookieName, value: string, seconds: number): void
  /** A cookie of the browser, if it has the right form. */
  cookie(cookie: CookieName): string | undefined
  /** Where users can sign in, too; undefined where none is configured. */
  provider: IdentityProvider | undefined
}

/** What handlers that look at a client's data may use: the context of the client, and who looks. */
export interface LookContext extends Context {
  service: PipelineService
  /** Who looks, as the audit log names them. */
  who: { actor: string; address: string }
  /** Calls of the client. */
  calls: StoredCalls
  /** Whether personal data may be shown. */
  seesPersonalData: boolean
}

/** What all handlers of a client's data may use. Only users of the dashboard have a session. */
export interface PageContext extends LookContext {
  session: SessionRow
  sender: Sender
}

/** What the pages need of the list of calls. */
export interface StoredCalls {
  /** Writes those that this process has not written yet. */
  write(): Promise<void>
  /** Runs a call again as its client. It opens its own transactions. */
  resend(call: ResentCall): Promise<{ id: string; status: number; error_code: string | null }>
}

/** A stored call that is to be run again. */
export interface ResentCall {
  clientId: string
  operationId: AnyOperationId
  requestId: string
  version: string
  body: string
}

interface Declared {
  /** It only reads. */
  reads?: boolean
  /** It reads what is committed, and opens its own transactions. */
  isApart?: boolean
}

/** What answers an operation of a client's data. It runs in one read, or in one transaction. */
export type PageHandler<Id extends OperationId> = Declared &
  ((ctx: PageContext, request: { body: PageBody<Id> }) => Promise<PageAnswerOf<Id>>)

/** The same for an operation that agents may call, too. */
export type LookHandler<Id extends OperationId> = Declared &
  ((ctx: LookContext, request: { body: PageBody<Id> }) => Promise<PageAnswerOf<Id>>)

/** What answers an operation that is about no client. It opens its own reads and transactions. */
export type VisitHandler<Id extends OperationId> = (
  visit: Visit,
  request: { body: PageBody<Id> },
) => Promise<PageAnswerOf<Id>>

type HandlerOf<Id extends OperationId> = (typeof rows)[Id]['tag'] extends
  | 'dashboard-session'
  | 'dashboard-clients'
  ? VisitHandler<Id>
  : PageHandler<Id>

/** A handler for every operation: one that is missing, surplus or swapped does not compile. */
export type DashboardHandlers = { [Id in OperationId]: HandlerOf<Id> }
