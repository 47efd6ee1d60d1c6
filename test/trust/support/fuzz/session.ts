import { versions } from '../../../../scripts/contract/contract.ts'
import { type Call, isSound, writeCall } from './call.ts'
import { judgeAnswer, judgeLog, judgeOutcome, judgeSecrets, keyOf } from './judge.ts'
import { judgeFilters } from './judge-lists.ts'
import { createLedger } from './ledger.ts'
import { createMemory, type Memory } from './memory.ts'
import type { Reach } from './reach.ts'
import { type Body, isRead, type Subject } from './subjects.ts'
import { type Answer, type Sent, start, type Target } from './target.ts'
import { createTenant, notePending, type Tenant, takePending } from './tenants.ts'
import { canUse, createTokens, type Tokens } from './tokens.ts'

/** A property that does not hold, with the requests that showed it. */
export class Finding extends Error {
  readonly property: string
  readonly trace: readonly Sent[]

  constructor(words: string, trace: readonly Sent[]) {
    super(words)
    this.name = 'Finding'
    this.property = words.split(':')[0] ?? ''
    this.trace = trace
  }
}

/** An answer, and whether it is what a fault made of it. */
export interface Performed extends Answer {
  hasFault: boolean
}

/** One run of requests, by tenants of its own. */
export interface Session {
  target: Target
  subjects: ReadonlyMap<string, Subject>
  tenants: Tenant[]
  memory: Memory
  tokens: Tokens
  /** Sends a call and holds what comes of it against what is known; throws a Finding. */
  perform(call: Call): Promise<Performed>
  /** A plain call in the current version. */
  ask(operationId: string, who: number, body: Body, version?: string): Promise<Answer>
  fail(words: string): never
  /** Notes a request that was sent by other means. */
  note(sent: Sent): void
  /** Counts one of those. */
  counted(): void
}

/** What all runs against one service share. */
export interface Ground {
  target: Target
  subjects: ReadonlyMap<string, Subject>
  reach: Reach
}

/** The tenant of the default seed data. */
export const wellKnown = (): Tenant => createTenant('sandbox-client', 'sandbox-secret')

/** A session with tenants of its own, which know of each other only what they tell. */
export async function openSession(ground: Ground): Promise<Session> {
  const session = createSession(ground, [wellKnown()])
  await addTenants(session)
  return session
}

export function createSession(ground: Ground, tenants: Tenant[]): Session {
  const { target, subjects, reach } = ground
  const memory = createMemory()
  const tokens = createTokens()
  const ledger = createLedger()
  const trace: Sent[] = []
  const fail = (words: string): never => {
    throw new Finding(words, [...trace])
  }

  async function perform(planned: Call): Promise<Performed> {
    const tenant = tenants[planned.who] as Tenant
    const other = tenants[(planned.who + 1) % tenants.length] as Tenant
    const call = isAwaited(tenant, planned.subject) ? plainly(planned) : planned
    const written = writeCall(call, tenant, other)
    trace.push(written.sent)
    const version = versionOf(call, tenant)
    const letIn = written.plain && written.read !== undefined && isSound(written.read)
    const fault = letIn
      ? takePending(tenant, call.subject, written.read?.['access_token'])
      : undefined
    const bearer = call.bearer !== undefined && !call.subject.oauth && written.plain
    const usable = bearer && canUse(tokens, call.bearer ?? '', call.who, tenants)
    const answer = await target.send(written.sent)
    reach.count(call.subject, version, answer, fault !== undefined)
    const { status } = answer
    const findings = [
      ...judgeAnswer(call, answer, fault, version),
      ...judgeOutcome(call, written, answer, fault, version),
      ...judgeSecrets(call, answer, tenants, memory),
      ...judgeLog(target.takeLog(), tenants),
    ]
    if (status === 200 && letIn && fault === undefined) {
      findings.push(...judgeMeaning(call, written.read as Body, answer.json as Body))
    }
    if (bearer && status !== 0 && letIn && usable !== undefined && usable !== (status !== 401)) {
      findings.push(
        `tokens: a token that is ${usable ? '' : 'not '}good is answered with ${status}`,
      )
    }
    if (Object.keys(Object.prototype).length > 0)
      findings.push('lives: Object.prototype has changed')
    if (fault?.error_code !== undefined && !matches(fault.error_code, call.subject, answer)) {
      findings.push(`faults: ${fault.error_code} was asked for, and ${status} came`)
    }
    if (findings[0] !== undefined) fail(findings[0])
    if (status === 200) learn(call, written.read ?? call.body, answer.json as Body)
    if (status === 0) await learnDropped(call)
    return { ...answer, hasFault: fault !== undefined }
  }

  /** An answer that was dropped on demand would have shown what its call has done. */
  async function learnDropped({ subject, who }: Call): Promise<void> {
    if (/^sandbox(ClockAdvance|Reset)$/.test(subject.id)) await ask('sandboxClockGet', who, {})
    if (/^sandboxError(Inject|Clear)$/.test(subject.id)) await ask('sandboxErrorClear', who, {})
  }

  /** Whether a success is one of just this request. */
  function judgeMeaning({ subject, who }: Call, request: Body, answer: Body): string[] {
    const now = start + (tenants[who] as Tenant).offset
    return isRead(subject)
      ? judgeFilters(subject, request, answer)
      : ledger.make(subject, request, answer, now)
  }

  function learn(call: Call, request: Body, answer: Body): void {
    const { who, subject } = call
    const tenant = tenants[who] as Tenant
    tokens.learn(subject.id, who, request, answer, tenants)
    if (!tokens.isAnothers(answer['access_token'], who))
      memory.learn(who, subject.id, request, answer)
    memory.join(who, { ...request, ...answer })
    remember(memory, who, subject.id, request)
    if (subject.id === 'sandboxErrorInject') notePending(tenant, request)
    if (subject.id === 'sandboxErrorClear') tenant.pending = []
    if (/^sandboxClock(Advance|Get)$/.test(subject.id))
      tenant.offset = Date.parse(String(answer['now'])) - start
    if (subject.id === 'sandboxReset') {
      Object.assign(tenant, { offset: 0, pending: [], wallets: new Map() })
      memory.endAll(who)
      tokens.endAll(who)
    }
  }

  const ask: Session['ask'] = (operationId, who, body, version) =>
    perform({
      subject: subjects.get(operationId) as Subject,
      who,
      version,
      body,
      credentials: 'headers',
      bearer: undefined,
      trick: undefined,
      headerTrick: undefined,
      form: false,
    })

  return {
    target,
    subjects,
    tenants,
    memory,
    tokens,
    perform,
    ask,
    fail,
    note: (sent) => void trace.push(sent),
    counted() {
      reach.requests += 1
    },
  }
}

async function addTenants({ tenants, memory, ask }: Session): Promise<void> {
  for (const body of [
    { enabled: ['transfer_migrate'] },
    { disabled: ['exchange', 'asset_report_insights'] },
  ]) {
    const made = (await ask('sandboxClientCreate', 0, body)).json as Record<string, string>
    tenants.push(createTenant(made['client_id'] ?? '', made['secret'] ?? ''))
  }
  tenants.shift()
  for (const [owner, { clientId }] of tenants.entries()) {
    memory.add({ kind: 'client', value: clientId, owner })
  }
}

/** What a request itself ends or makes known. */
function remember(memory: Memory, who: number, operationId: string, request: Body): void {
  const { client_user_id, transaction_ids } = request
  // What is no text, such as an object whose `toString` is a number, is no name of anything.
  const end = (value: unknown) => void (typeof value === 'string' && memory.end(value))
  if (operationId === 'itemRemove') end(request['access_token'])
  if (operationId === 'itemAccessTokenInvalidate') end(request['access_token'])
  if (operationId === 'itemPublicTokenExchange') end(request['public_token'])
  if (operationId === 'oauthRevoke') end(request['token'])
  if (operationId === 'sandboxTransactionsRemove') {
    for (const id of transaction_ids as string[]) memory.end(id)
  }
  if (typeof client_user_id === 'string') {
    memory.add({ kind: 'client_user', value: client_user_id, owner: who })
  }
}

const isAwaited = ({ pending }: Tenant, { path }: Subject): boolean =>
  pending.some((one) => one.path === path)

/** Nothing about a call that meets a fault may leave open whether it is let in. */
function plainly(call: Call): Call {
  const { client_id, secret, client_secret, public_key, ...body } = call.body
  const usual = { credentials: 'headers', bearer: undefined, trick: undefined } as const
  return { ...call, ...usual, body, headerTrick: undefined, form: false }
}

const versionOf = ({ version, headerTrick }: Call, { defaultVersion }: Tenant): string =>
  version !== undefined && versions.includes(version) && !headerTrick?.includes('version')
    ? version
    : defaultVersion

/** The code of an operation may stand for several keys. */
const matches = (code: string, subject: Subject, answer: Answer): boolean => {
  const key = keyOf(subject, answer)
  return key !== undefined && (key === code || key.split('.').includes(code))
}
