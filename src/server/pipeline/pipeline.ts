import type { Context } from '../kernel/context.ts'
import {
  asSingle,
  DatabaseUnavailable,
  type Queries,
  SecondStatement,
  UnknownOutcome,
} from '../kernel/database.ts'
import { ApiError, type ErrorContext } from '../kernel/errors.ts'
import { withLists } from '../kernel/list-text.ts'
import type { AnyOperationId, Work } from '../kernel/operation.ts'
import type { RequestTrace } from '../kernel/telemetry.ts'
import { downgradeAnswer } from '../versions/convert.ts'
import { inVersion, isCurrent } from '../versions/select-version.ts'
import { createNews } from './await-news.ts'
import { type AuthResult, admissionOf } from './check-caller.ts'
import { type CheckedRequest, checkRequest, type WireRequest } from './check-request.ts'
import type { WithoutPermit } from './concurrency-limiter.ts'
import { createContext, type OpenContext } from './create-context.ts'
import { answerOnce } from './idempotency.ts'
import { listIgnored } from './ignored-fields.ts'
import { DroppedConnection, type FaultEffect, type InjectedFault } from './injected-fault.ts'
import { tellPadding } from './padding.ts'
import type { PipelineService } from './pipeline-service.ts'
import { readOnly, WriteNeeded } from './read-only.ts'
import type { PendingCall, RequestLog } from './request-log.ts'

/** A response that is ready to be sent. */
export interface WireAnswer {
  status: number
  headers: Record<string, string>
  body: unknown
  /** Called with the body as it is sent. */
  record?: ((text: string) => void) | undefined
}

/** Runs one operation. */
export type Handler = Work<object, object> &
  ((ctx: Context, request: { body: object }) => Promise<object>)

/**
 * The handlers by operation. The table in `boot` has a precise type for each. Here all have one
 * type.
 */
export interface HandlerTable {
  find(operationId: AnyOperationId): Handler
  /** Whether it may write for seconds, as sandbox endpoints do. */
  isLong(operationId: AnyOperationId): boolean
}

/** For requests without a permit. */
const atOnce: WithoutPermit = async (wait) => {
  await wait()
}

/**
 * The steps around every handler: checks before it, a transaction around it, its response after it.
 */
export function createPipeline(service: PipelineService, handlers: HandlerTable, log: RequestLog) {
  return async (
    request: WireRequest,
    context: ErrorContext,
    trace?: RequestTrace,
    withoutPermit: WithoutPermit = atOnce,
  ): Promise<WireAnswer> => {
    const start = performance.now()
    const auth: AuthResult = {
      client: undefined,
      version: undefined,
      bearer: undefined,
      fault: undefined,
    }
    const note = (status: number, errorCode: string | null): PendingCall | undefined => {
      if (!auth.client || !auth.version) return undefined
      const call = {
        operationId: request.operationId,
        requestId: context.requestId,
        status,
        errorCode,
        version: auth.version,
        duration: Math.round(performance.now() - start),
        now: service.clock() + auth.client.clock_offset_ms,
        resentFrom: request.inside?.resentFrom ?? null,
        injected: effectOn(status, auth.fault),
        keepsBodies: Number(auth.client.keeps_bodies_until ?? 0) > service.clock(),
      }
      return log.add(auth.client.client_id, call, request)
    }
    let checked: CheckedRequest | undefined
    try {
      checked = await checkRequest(request, admissionOf(service, auth, request, withoutPermit))
      const ended = await runHandler(service, handlers, auth, checked, withoutPermit)
      const current = { ...ended.answer, request_id: context.requestId }
      const answer = finish(service, auth, checked, await inVersionOf(checked, current))
      if (ended.replayed) answer.headers['Idempotent-Replayed'] = 'true'
      const call = handlers.find(checked.operationId).waits ? undefined : note(200, null)
      if (auth.fault?.drops) throw new DroppedConnection()
      if (call?.bodies) answer.record = (text) => log.answer(call, text)
      return answer
    } catch (error) {
      if (error instanceof ApiError) {
        if (checked) tellPadding(error, checked.body)
        if (auth.version) inVersion(error, auth.version)
        const call = note(error.status, error.code)
        if (call?.bodies) error.record = (text) => log.answer(call, text)
      }
      throw auth.fault?.drops ? new DroppedConnection() : error
    } finally {
      if (trace) addSender(trace, auth)
    }
  }
}

/** What a fault did to a call. An error has no values that could be changed. */
const effectOn = (status: number, fault: InjectedFault | undefined): FaultEffect | null =>
  fault === undefined || (fault.effect === 'unknown_enum' && status >= 400) ? null : fault.effect

/** Adds the sender to the trace of the request. */
function addSender(trace: RequestTrace, { client, version, fault }: AuthResult): void {
  trace.clientId = client?.client_id
  trace.version = version
  trace.injected = fault !== undefined
}

/** What came of a handler. */
interface Ended {
  answer: object
  /** Whether the answer is the stored one of an earlier request. */
  replayed?: boolean
}

async function runHandler(
  service: PipelineService,
  handlers: HandlerTable,
  auth: AuthResult,
  checked: CheckedRequest,
  withoutPermit: WithoutPermit,
): Promise<Ended> {
  const { operationId, body, idempotencyKey: key } = checked
  let open: OpenContext | undefined
  const work = async (db: Queries): Promise<Ended | ApiError> => {
    open = openContext(service, auth, db)
    const { ctx } = open
    const run = () => handlers.find(operationId)(ctx, { body })
    try {
      if (key === undefined) return { answer: await run() }
      return await answerOnce(ctx, { key, operationId, body }, run)
    } catch (error) {
      // An error with `commit` must not roll the transaction back.
      if (error instanceof ApiError && error.commit) return error
      throw error
    }
  }
  const owner = auth.client?.client_id
  const ask = () => runWork(service, handlers, checked, owner, work)
  const { waits } = handlers.find(operationId)
  const isEmpty = (ended: Ended | ApiError): boolean =>
    !(ended instanceof ApiError) && waits?.(body, ended.answer) === true
  const wait = { clientId: owner ?? '', ms: waitMsOf(body), ask, isEmpty, withoutPermit }
  const outcome = await (waits ? service.singleton(createNews).await(wait) : ask())
  await followCommit(open?.afterCommit ?? [], withoutPermit)
  if (open?.hasWork()) service.runner.wake(open.urls)
  if (outcome instanceof ApiError) throw outcome
  return outcome
}

const waitMsOf = (body: { wait_seconds?: number | null }): number => (body.wait_seconds ?? 0) * 1000

/**
 * Runs the work that follows a commit. The commit stays valid if the database becomes unavailable.
 */
export async function followCommit(
  works: OpenContext['afterCommit'],
  withoutPermit: WithoutPermit = atOnce,
): Promise<void> {
  try {
    for (const work of works) await work(withoutPermit)
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error
    throw new UnknownOutcome('what was to follow a commit was not done', { cause: error })
  }
}

/** A request whose answer is stored writes, by more than one statement. */
const withStoredAnswer: Work<object> = {}

/** Runs a read without a transaction. If the handler writes, it runs again in a transaction. */
async function runWork<Result>(
  { database, checkAnswer }: PipelineService,
  handlers: HandlerTable,
  { operationId, body, idempotencyKey }: CheckedRequest,
  owner: string | undefined,
  work: (db: Queries) => Promise<Result>,
): Promise<Result> {
  const { reads, single, usuallySingle } =
    idempotencyKey === undefined ? handlers.find(operationId) : withStoredAnswer
  const isSingle = typeof single === 'function' ? single(body) : (single ?? false)
  // An engine in this process gains nothing, but tests see there, too, whether the declaration is right.
  const isTried = database.shared
    ? isSingle || usuallySingle
    : isSingle && checkAnswer !== undefined
  const options = { owner, isShort: !handlers.isLong(operationId) }
  const run = (its: typeof work, asOne: boolean) =>
    reads
      ? database.read((db) => its(readOnly(db)), { isSingle: asOne })
      : database.transaction(its, { ...options, isSingle: asOne })
  try {
    if (!isTried) return await run(work, false)
    return await run(asSingle(work), true).catch((error) => {
      // A wrong declaration is a bug. It fails only in tests and development.
      const isWrong = isSingle && checkAnswer !== undefined
      if (isWrong || !(error instanceof SecondStatement)) throw error
      return run(work, false)
    })
  } catch (error) {
    if (!(error instanceof WriteNeeded)) throw error
    return database.transaction(work, options)
  }
}

function openContext(service: PipelineService, auth: AuthResult, db: Queries): OpenContext {
  const { client, bearer } = auth
  if (!client) throw new Error('a handler runs for a known client only')
  return createContext(service, db, {
    client,
    bearer,
    now: service.clock() + client.clock_offset_ms,
  })
}

/** Handlers respond in the current version. The response is then converted for older versions. */
const inVersionOf = (checked: CheckedRequest, answer: object): object | Promise<object> =>
  isCurrent(checked.version) ? answer : downgradeAnswer(checked, answer)

function finish(
  service: PipelineService,
  auth: AuthResult,
  checked: CheckedRequest,
  answer: object,
): WireAnswer {
  const problems = service.checkAnswer?.(checked, withLists(answer)) ?? []
  if (problems.length > 0) {
    throw new Error(`${checked.operationId} does not answer as described: ${problems.join('; ')}`)
  }
  const headers: Record<string, string> = checked.operation.oauth
    ? { 'Cache-Control': 'no-store' }
    : {}
  if (checked.ignored.length > 0) headers['Ignored-Fields'] = listIgnored(checked.ignored)
  const body = auth.fault?.change(answer, checked.operation) ?? answer
  return { status: 200, headers, body }
}
