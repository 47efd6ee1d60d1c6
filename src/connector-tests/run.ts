import { issuesOfMessage } from '../connector/check-message.ts'
import { issuesOfStep } from '../connector/check-step.ts'
import type {
  Connector,
  ConnectorContext,
  Message,
  SourceRequest,
  SourceResponse,
  Window,
} from '../connector/connector.ts'
import { limitsOf } from '../connector/connector.ts'
import { SourceFailed } from '../connector/failures.ts'
import type { BankAccount, BankResponse, ScriptedBank } from './bank.ts'
import { checking, now, savings, usualWindow } from './bank.ts'

/** A check that a connector does not pass. */
export class Failed extends Error {
  override readonly name = 'Failed'
}

export function require(isRight: boolean, message: string): void {
  if (!isRight) throw new Failed(message)
}

/** What happens to requests in place of the bank's answer. */
export type Mishap = 'no response' | BankResponse

interface Wanted {
  state?: unknown
  window?: Window
  balancesOnly?: boolean
}

/** A connector at work with a scripted bank. */
export interface Run {
  connector: Connector
  accounts: readonly BankAccount[]
  mishap: ((request: SourceRequest) => Mishap) | undefined
  /** How the bank rejects a secret. */
  rejections: readonly BankResponse[]
  /** The requests of the last step or read. */
  requests: SourceRequest[]
  /** All texts that a user typed, and the secret. */
  secrets: unknown[]
  /** Lets the user in; returns the secret. */
  authorize(): Promise<unknown>
  read(secret: unknown, wanted?: Wanted): Promise<Message[]>
  /** Sends the wrong answer to the first step. */
  authorizeWrongly(fields: Readonly<Record<string, string>>): Promise<unknown>
}

const ways = {
  redirect: { address: 'https://service.example.com/return', state: 'state-of-the-session' },
  notify: 'https://service.example.com/notify',
  daysRequested: 365,
}
const mostSteps = 10

/** Values as the service passes them on, which stores them as JSON. */
const stored = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value))

export function createRun(create: () => Connector, bank: ScriptedBank): Run {
  const connector = create()
  const { requestsPerCall } = limitsOf(connector)
  const run: Run = {
    connector,
    accounts: [checking, savings],
    mishap: undefined,
    rejections: bank.rejections ?? [401, 403].map((status) => ({ status, body: '' })),
    requests: [],
    secrets: [],
    authorize,
    read,
    async authorizeWrongly(fields) {
      const first = connector.first ?? (await next(undefined, bank.answer(undefined)))
      return next(first, fields)
    },
  }

  /** What a connector did that it must not; it may catch the error itself. */
  let broken: string | undefined
  const forbid = (isRight: boolean, message: string) => {
    if (!isRight) broken ??= message
    require(isRight, message)
  }
  const requireNothingBroken = () => require(broken === undefined, broken ?? '')

  function contextOf(): ConnectorContext {
    const requests: SourceRequest[] = []
    run.requests = requests
    const hosts = connector.hosts(bank.settings)
    return {
      settings: bank.settings,
      now,
      async call(request) {
        requests.push(request)
        const { host, protocol } = request.url
        forbid(hosts.includes(host), `it called ${host}, which \`hosts\` does not name`)
        forbid(protocol === 'https:', `it called ${host} by ${protocol} in place of https:`)
        forbid(requests.length <= requestsPerCall, `it sent over ${requestsPerCall} requests`)
        return respond(request)
      },
    }
  }

  async function respond(request: SourceRequest): Promise<SourceResponse> {
    const mishap = run.mishap?.(request)
    if (mishap === 'no response') throw new SourceFailed('outage', 'the source gave no response')
    const answer = mishap ?? (await bank.respond(request, { now, accounts: run.accounts }))
    const { status = 200, headers = {}, body } = answer
    return { status, headers, body: new TextEncoder().encode(body) }
  }

  async function next(previous: Parameters<Connector['authorize']>[1], fields: object) {
    const input = { fields: { ...(fields as Record<string, string>) } }
    run.secrets.push(input.fields)
    const step = await connector.authorize({ ...contextOf(), ...ways }, previous, input)
    requireNothingBroken()
    const [issue] = issuesOfStep(step, ways.redirect.state)
    require(issue === undefined, `a step: ${issue}`)
    const secret = stored(step.secret)
    run.secrets.push(secret)
    return secret === undefined ? step : { ...step, secret }
  }

  async function authorize(): Promise<unknown> {
    let step = connector.first ?? (await next(undefined, bank.answer(undefined)))
    for (let count = 0; count < mostSteps; count += 1) {
      if (step.kind === 'done') return step.secret
      step = await next(step, bank.answer(step))
    }
    throw new Failed(`it was not done after ${mostSteps} steps`)
  }

  async function read(secret: unknown, wanted: Wanted = {}): Promise<Message[]> {
    const { state, window = usualWindow, balancesOnly = false } = wanted
    const ctx = { ...contextOf(), secret: stored(secret), window, balancesOnly, isAsked: false }
    const messages: Message[] = []
    for await (const message of connector.read(ctx, stored(state))) {
      const [issue] = issuesOfMessage(message)
      require(issue === undefined, `a message: ${issue}`)
      messages.push(message)
    }
    requireNothingBroken()
    return messages
  }

  return run
}

/** The failure that work ends with; undefined where it succeeds. */
export async function failureOf(work: () => Promise<unknown>): Promise<unknown> {
  try {
    await work()
  } catch (error) {
    if (error instanceof Failed) throw error
    return error ?? new Error('nothing')
  }
  return undefined
}

type Kind = Message['type']

/** The messages of a kind. */
export const ofType = <Type extends Kind>(
  messages: readonly Message[],
  type: Type,
): Extract<Message, { type: Type }>[] =>
  messages.filter((one): one is Extract<Message, { type: Type }> => one.type === type)

/** The state that a read told last. */
export const stateOf = (messages: readonly Message[]): unknown =>
  ofType(messages, 'state').at(-1)?.state
