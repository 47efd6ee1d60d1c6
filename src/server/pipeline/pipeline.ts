import { handlers, sandboxHandlers } from '../boot/handlers.ts'
import type { WireAnswer } from '../http/app.ts'
import type { Context } from '../kernel/context.ts'
import { DatabaseUnavailable, type Queries, UnknownOutcome } from '../kernel/database.ts'
import { ApiError, type ErrorContext } from '../kernel/errors.ts'
import { withLists } from '../kernel/list-text.ts'
import type { Work } from '../kernel/operation.ts'
import type { Service } from '../kernel/service.ts'
import type { Trail } from '../kernel/telemetry.ts'
import { DroppedConnection, withUnknownEnum } from '../sandbox/world/injected-fault.ts'
import { downgradeAnswer } from '../versions/version-steps.ts'
import { isCurrent } from '../versions/versions.ts'
import { admissionOf, type Visit } from './admission.ts'
import { type CheckedRequest, checkRequest, type WireRequest } from './check-request.ts'
import { createContext, type OpenContext } from './create-context.ts'
import type { Outside } from './places.ts'
import { readOnly, WriteNeeded } from './read-only.ts'
import type { RequestLog } from './request-log.ts'

/** What is wrong with an answer of ours; empty when it is as the contract says. */
export type AnswerCheck = (request: CheckedRequest, answer: object) => string[]

type Handle = Work & ((ctx: Context, request: { body: object }) => Promise<object>)

/** The handler of an operation; the tables say that each fits, here all are alike. */
const handlerOf = (operationId: string): Handle =>
  allHandlers[operationId as keyof typeof allHandlers] as unknown as Handle

const allHandlers = { ...handlers, ...sandboxHandlers }

/** For what takes no place from others, however long it waits. */
const atOnce: Outside = async (wait) => {
  await wait()
}

/** What happens around every handler: checks before it, a transaction around it, its answer after. */
export function createPipeline(service: Service, log: RequestLog) {
  return async (
    request: WireRequest,
    context: ErrorContext,
    trail?: Trail,
    outside: Outside = atOnce,
  ): Promise<WireAnswer> => {
    const start = performance.now()
    const visit: Visit = {
      client: undefined,
      version: undefined,
      bearer: undefined,
      fault: undefined,
    }
    const note = (status: number, errorCode: string | null) => {
      if (!visit.client || !visit.version) return
      const duration = Math.round(performance.now() - start)
      const now = service.clock() + visit.client.clock_offset_ms
      log.add(visit.client.client_id, {
        operationId: request.operationId,
        context,
        status,
        errorCode,
        version: visit.version,
        duration,
        now,
      })
    }
    try {
      const checked = await checkRequest(request, admissionOf(service, visit, request, outside))
      const result = await runHandler(service, visit, checked)
      const current = { ...result, request_id: context.requestId }
      const answer = finish(service, visit, checked, await inVersionOf(checked, current))
      note(200, null)
      if (visit.fault?.drop) throw new DroppedConnection()
      return answer
    } catch (error) {
      if (error instanceof ApiError) note(error.status, error.code)
      throw visit.fault?.drop ? new DroppedConnection() : error
    } finally {
      if (trail) follow(trail, visit)
    }
  }
}

/** Tells whoever watches what has become known of the sender. */
function follow(trail: Trail, { client, version, fault }: Visit): void {
  trail.clientId = client?.client_id
  trail.version = version
  trail.injected = fault !== undefined
}

async function runHandler(
  service: Service,
  visit: Visit,
  checked: CheckedRequest,
): Promise<object> {
  let open: OpenContext | undefined
  const work = async (db: Queries): Promise<object | ApiError> => {
    open = openContext(service, visit, db)
    try {
      return await handlerOf(checked.operationId)(open.ctx, { body: checked.body })
    } catch (error) {
      // What a handler wants kept although it refuses must not undo its transaction.
      if (error instanceof ApiError && error.commit) return error
      throw error
    }
  }
  const outcome = await readFirst(service, checked, visit.client?.client_id, work)
  await followCommit(open?.afterCommit ?? [])
  if (open?.hasWork()) service.runner.wake(open.urls)
  if (outcome instanceof ApiError) throw outcome
  return outcome
}

/** Does what is to follow a commit. When the database is away by then, something was done all the same. */
async function followCommit(works: OpenContext['afterCommit']): Promise<void> {
  try {
    for (const work of works) await work()
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error
    throw new UnknownOutcome('what was to follow a commit was not done', { cause: error })
  }
}

/** Runs what mostly reads without a transaction, until it first wants to write. */
async function readFirst<Result>(
  service: Service,
  { operationId }: CheckedRequest,
  owner: string | undefined,
  work: (db: Queries) => Promise<Result>,
): Promise<Result> {
  const { database } = service
  // Some verbs of the control surface write for seconds.
  const isShort = !Object.hasOwn(sandboxHandlers, operationId)
  const options = { owner, isShort, kind: operationId }
  if (!handlerOf(operationId).reads) return database.transaction(work, options)
  try {
    return await database.read((db) => work(readOnly(db)), operationId)
  } catch (error) {
    if (!(error instanceof WriteNeeded)) throw error
    return database.transaction(work, options)
  }
}

function openContext(service: Service, visit: Visit, db: Queries): OpenContext {
  const { client, bearer } = visit
  if (!client) throw new Error('a handler runs for a known client only')
  return createContext(service, db, {
    client,
    bearer,
    now: service.clock() + client.clock_offset_ms,
  })
}

/** Handlers answer in the current version; nothing is to be done for those who ask in it. */
const inVersionOf = (checked: CheckedRequest, answer: object): object | Promise<object> =>
  isCurrent(checked.version) ? answer : downgradeAnswer(checked, answer)

function finish(
  service: Service,
  visit: Visit,
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
  const body = visit.fault?.unknown_enum
    ? withUnknownEnum(withLists(answer), checked.operation)
    : answer
  return { status: 200, headers, body }
}
