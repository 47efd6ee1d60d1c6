import { isDeepStrictEqual } from 'node:util'
import type { Call } from './call.ts'
import { codeIn } from './judge.ts'
import { laws } from './laws.ts'
import { watchChanges } from './laws-changes.ts'
import type { Known, Memory } from './memory.ts'
import type { CallStep, ChangesStep, GetStep, Step } from './plan.ts'
import { type Filled, fillReferences, luckOf, neverGiven } from './references.ts'
import { makeSense } from './sense.ts'
import { type Ground, openSession, type Performed, type Session } from './session.ts'
import { type Body, isRead, type Subject } from './subjects.ts'
import { type Answer, changedIn, start } from './target.ts'
import type { Tenant } from './tenants.ts'

/** Runs a sequence with fresh tenants; throws a Finding for the first property that does not hold. */
export async function runPlan(ground: Ground, steps: readonly Step[]): Promise<void> {
  const session = await openSession(ground)
  const subjects = [...ground.subjects.values()]
  for (const who of session.tenants.keys()) await laws.begin(session, who, luckOf([who, 0, 1]))
  for (const step of steps) {
    if (step.kind === 'law') await laws[step.law](session, step.who, luckOf(step.luck))
    else if (step.kind === 'get') await get(session, step)
    else if (step.kind === 'changes') await runChanges(session, subjects, step)
    else await runCall(session, subjects, step)
  }
}

async function runCall(
  session: Session,
  subjects: readonly Subject[],
  step: CallStep,
): Promise<void> {
  const { subject } = step
  const { body, foreign, namesSeveral } = fill(session, subjects, step, session.memory)
  const call: Call = { ...step, body, bearer: bearerOf(session, step.bearer) }
  const isWatched = namesSeveral || step.look === 'unchanged'
  if (isWatched && leavesAlone(subject)) return unlessDone(session, call)
  const answer = await session.perform(call)
  if (foreign.length > 0) await compareWithUnknown(session, call, foreign, answer)
  if (step.look === 'repeat' && isRead(subject) && answer.status === 200)
    await repeat(session, call)
}

/** What a step sends, by what is known. */
function fill(
  session: Session,
  subjects: readonly Subject[],
  { subject, who, body, luck: numbers }: CallStep,
  memory: Memory,
): Filled {
  const { offset } = session.tenants[who] as Tenant
  const luck = luckOf(numbers)
  const around = { subjects, receiver: session.target.receiver, now: start + offset }
  const sensible = makeSense(subject, body, around, luck)
  return fillReferences(sensible, { operationId: subject.id, who, luck, memory })
}

/** Calls that name what is newest: a picture shows no more. */
async function runChanges(
  session: Session,
  subjects: readonly Subject[],
  { who, calls }: ChangesStep,
): Promise<void> {
  const { memory } = session
  const isOwn = (one: Known) => one.owner === who && !one.ended
  const newest = { ...memory, all: (kind: string) => memory.all(kind).filter(isOwn).slice(-3) }
  const asks = calls.map((step) => () => {
    const { body } = fill(session, subjects, { ...step, who }, newest)
    return { subject: step.subject, version: step.version, body }
  })
  await watchChanges(session, who, asks)
}

function bearerOf({ memory }: Session, chosen: number | undefined): string | undefined {
  if (chosen === undefined) return undefined
  const known = ['bearer', 'bearer', 'refresh', 'item'].flatMap((kind) => memory.all(kind))
  return known[chosen % (known.length + 1)]?.value ?? 'sva-AAAAAAAAAAAAAAAAAAAAAA=='
}

/** What an error leaves as it was; `transactionsGet` begins to pull although it fails. */
const leavesAlone = ({ id }: Subject): boolean =>
  !/^(transactionsGet|sandbox(Reset|ErrorClear|ErrorInject|ClockAdvance|RequestList))$/.test(id)

const withoutId = (answer: Answer): unknown => {
  const { request_id: _, ...rest } = (answer.json ?? {}) as Body
  return [answer.status, rest]
}

const isPlain = (call: Call, tenant: Tenant): boolean =>
  call.credentials === 'headers' &&
  call.bearer === undefined &&
  call.trick === undefined &&
  call.headerTrick === undefined &&
  !tenant.pending.some(({ path }) => path === call.subject.path)

/** What belongs to another tenant is answered exactly as what does not exist. */
async function compareWithUnknown(
  session: Session,
  call: Call,
  foreign: readonly string[],
  answer: Performed,
): Promise<void> {
  const tenant = session.tenants[call.who] as Tenant
  if (call.subject.id === 'oauthRevoke' || answer.status === 0) return
  if (!isPlain(call, tenant) || answer.hasFault) return
  let text = JSON.stringify(call.body)
  for (const value of foreign)
    text = text.replaceAll(JSON.stringify(value), JSON.stringify(neverGiven(value)))
  const twin = await session.perform({ ...call, body: JSON.parse(text) as Body })
  // What was made is new each time.
  const isMade = answer.status === 200 && twin.status === 200 && !isRead(call.subject)
  if (isMade || isDeepStrictEqual(withoutId(answer), withoutId(twin))) return
  session.fail(
    `tenants: what is another's gets ${answer.status} ${codeIn(answer.json)}, what is nobody's ${twin.status} ${codeIn(twin.json)}`,
  )
}

/** A read that is repeated gets the same; the first one may have set up what it reads. */
async function repeat(session: Session, call: Call): Promise<void> {
  const tenant = session.tenants[call.who] as Tenant
  if (!isPlain(call, tenant)) return
  await session.target.settle()
  const one = await session.perform(call)
  await session.target.settle()
  const other = await session.perform(call)
  if (one.status !== 200 || !isDeepStrictEqual(withoutId(one), withoutId(other))) {
    session.fail(`reads: ${call.subject.id} answers twice, and not the same`)
  }
}

/** An error leaves everything as it was. */
async function unlessDone(session: Session, call: Call): Promise<void> {
  const { clientId } = session.tenants[call.who] as Tenant
  await session.target.settle()
  const before = await session.target.digest(clientId)
  const answer = await session.perform(call)
  if (answer.status < 400) return
  await session.target.settle()
  const changed = changedIn(before, await session.target.digest(clientId))
  if (changed.length > 0) {
    session.fail(`refusals: ${answer.status} ${codeIn(answer.json)}, and ${changed} has changed`)
  }
}

/** What is no operation is answered with a page, a picture, or the 404 of the interface. */
async function get(session: Session, { method, path }: GetStep): Promise<void> {
  const sent = { method, path, headers: {}, body: '' }
  session.note(sent)
  const { status, headers } = await session.target.send(sent)
  session.counted()
  if (status >= 500 || status === 0)
    session.fail(`lives: ${method} ${path.slice(0, 60)} gets ${status}`)
  const isJson = /json/.test(String(headers['content-type']))
  if (status >= 400 && method !== 'HEAD' && !isJson) {
    session.fail(
      `valid: ${method} ${path.slice(0, 60)} is refused in other words than the interface's`,
    )
  }
}
