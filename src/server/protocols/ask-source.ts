import { issuesOfMessage } from '../../connector/check-message.ts'
import { issuesOfStep } from '../../connector/check-step.ts'
import type {
  AuthorizeContext,
  Connector,
  ConnectorContext,
  Input,
  Message,
  ReadContext,
  SourceRequest,
  SourceTransaction,
  Step,
} from '../../connector/connector.ts'
import { limitsOf } from '../../connector/connector.ts'
import {
  AuthorizationFailed,
  issueOfFailure,
  SourceFailed,
  toFailure,
} from '../../connector/failures.ts'
import { hideSecrets, holdsSecret, secretTexts } from '../../connector/hide-secrets.ts'
import { plainText } from '../../statements/values.ts'
import type { Settings } from '../kernel/context.ts'
import { createCallOut } from './call-out.ts'

/** Which source is asked, and for how long. */
export interface Asking {
  connector: Connector
  settings: unknown
  targets: Settings['callTargets']
  /** Real time in ms. */
  now: number
  /** The most ms for everything together. */
  mostMs: number
  /** Ends the work early. */
  signal?: AbortSignal
}

/** How many messages one read may tell. In memory each takes many times the bytes of its row. */
const mostMessages = 300_000

/** The error of a connector that breaks the interface, or throws what no source brings about. */
export class ConnectorFault extends Error {
  override readonly name = 'ConnectorFault'
}

/** Asks a connector what follows an answer. Throws `AuthorizationFailed`, `SourceFailed` or `ConnectorFault`. */
export async function askToAuthorize(
  asking: Asking,
  redirect: AuthorizeContext['redirect'],
  previous: Step | undefined,
  input: Input,
): Promise<Step> {
  const secrets = secretTexts(asking.settings, previous?.secret, input.fields)
  return within(asking, secrets, async (ctx, ended) => {
    const work = asking.connector.authorize({ ...ctx, redirect }, previous, input)
    const step = await Promise.race([work, ended])
    const [issue] = issuesOfStep(step, redirect.state, asking.targets === 'loopback')
    if (issue !== undefined)
      throw new ConnectorFault(`a step of the connector breaks the interface: ${issue}`)
    return step
  })
}

/** Ends an authorization at its source, if the connector can. Throws as `askToAuthorize` does. */
export async function askToRevoke(asking: Asking, secret: unknown): Promise<void> {
  const secrets = secretTexts(secret, asking.settings)
  await within(asking, secrets, async (ctx, ended) => {
    await Promise.race([asking.connector.revoke?.({ ...ctx, secret }), ended])
  })
}

/** Reads from a source. Throws `SourceFailed` or `ConnectorFault`; what was read before that is lost. */
export async function* readSource(
  asking: Asking,
  reading: Pick<ReadContext, 'secret' | 'window' | 'balancesOnly'>,
  state: unknown,
): AsyncGenerator<Message> {
  const secrets = secretTexts(reading.secret)
  const all = secretTexts(reading.secret, asking.settings)
  const open = await within(asking, all, async (ctx, ended) => {
    const messages = asking.connector.read({ ...ctx, ...reading }, state)
    requireIterable(messages)
    return { iterator: messages[Symbol.asyncIterator](), ended }
  })
  try {
    for (let told = 0; ; told += 1) {
      const next = await failing(all, () => Promise.race([open.iterator.next(), open.ended]))
      if (next.done) return
      if (told >= mostMessages) throw new SourceFailed('outage', 'the source told too many rows')
      yield checkMessage(next.value, secrets)
    }
  } finally {
    // It may still wait for its source.
    Promise.resolve(open.iterator.return?.()).catch(() => {})
  }
}

function requireIterable(messages: AsyncIterable<Message> | undefined): void {
  if (typeof messages?.[Symbol.asyncIterator] === 'function') return
  // A promise that nobody waits for would end the process if it is rejected.
  Promise.resolve(messages).catch(() => {})
  throw new ConnectorFault('`read` must return an async iterable, such as an async generator')
}

function checkMessage(message: Message, secrets: readonly string[]): Message {
  const [issue] = issuesOfMessage(message)
  if (issue !== undefined)
    throw new ConnectorFault(`a message of the connector breaks the interface: ${issue}`)
  if (message.type === 'state' && holdsSecret(message.state, secrets)) {
    throw new ConnectorFault(
      'a message of the connector breaks the interface: state: it must hold no secret',
    )
  }
  if (message.type === 'account') {
    const { id } = message.account
    return { ...message, account: { ...cleaned(message.account), id } }
  }
  if (message.type === 'transaction')
    return { ...message, transaction: toClean(message.transaction) }
  if (message.type !== 'issue') return message
  const { issue: told } = message
  return { ...message, issue: { ...told, message: plainText(hideSecrets(told.message, secrets)) } }
}

/** Rows are found by their id, so it stays as it was told. */
function toClean({ id, ...told }: SourceTransaction): SourceTransaction {
  const row = { ...cleaned(told), description: plainText(told.description) }
  return id === undefined ? row : { ...row, id }
}

/**
 * A value whose texts are shown to people. Control characters could forge what a page shows, and
 * PostgreSQL stores no NUL. Texts without anything else are left out.
 */
function cleaned<Value>(value: Value): Value
function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return plainText(value)
  if (Array.isArray(value)) return value.map((one) => cleaned(one))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, one]) => [name, cleaned(one)] as const)
  return Object.fromEntries(entries.filter(([, one]) => one !== ''))
}

/** Runs work of a connector that must end in time. */
async function within<Result>(
  asking: Asking,
  secrets: readonly string[],
  work: (ctx: ConnectorContext, ended: Promise<never>) => Promise<Result>,
): Promise<Result> {
  const { signal, mostMs } = asking
  const timeout = AbortSignal.timeout(mostMs)
  const all = signal ? AbortSignal.any([signal, timeout]) : timeout
  const ended = new Promise<never>((_, reject) => {
    const end = () => reject(new SourceFailed('outage', 'the source did not respond in time'))
    if (all.aborted) end()
    else all.addEventListener('abort', end, { once: true })
  })
  // Nobody may be waiting for it any more.
  ended.catch(() => {})
  return failing(secrets, () => work(contextOf(asking, all), ended))
}

function contextOf(asking: Asking, signal: AbortSignal): ConnectorContext {
  const { connector, settings, targets = 'public', now } = asking
  const call = createCallOut({ targets, signal })
  const hosts = new Set(connector.hosts(settings))
  const { requestsPerCall } = limitsOf(connector)
  let sent = 0
  return {
    settings,
    now,
    async call(request: SourceRequest) {
      // A link of the source must not make the service call other hosts.
      if (!hosts.has(request.url.host)) {
        throw new ConnectorFault('the connector may not call this host')
      }
      sent += 1
      if (sent > requestsPerCall) {
        throw new SourceFailed('outage', `one call sends at most ${requestsPerCall} requests`)
      }
      return call(request)
    },
  }
}

/** Makes what a connector throws an error of this service, without secrets in its message. */
async function failing<Result>(
  secrets: readonly string[],
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ConnectorFault) throw error
    const issue = issueOfFailure(error)
    if (issue !== undefined)
      throw new ConnectorFault(`the connector threw what breaks the interface: ${issue}`)
    const failure = toFailure(error)
    // A secret that is cut would not be found.
    const message = hideSecrets(textOf(failure ?? error), secrets).slice(0, longestText)
    if (failure instanceof SourceFailed) {
      throw new SourceFailed(failure.kind, message, failure.waitMs)
    }
    if (failure) throw new AuthorizationFailed(failure.reason, message)
    throw new ConnectorFault(`the connector threw ${message}`)
  }
}

const longestText = 200

/** The name and the message of an error. Its stack could repeat a secret. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return `a value of type ${typeof error}`
  const { name, message } = error
  const isOwn = name === 'SourceFailed' || name === 'AuthorizationFailed'
  return isOwn ? message : `${name}: ${message}`
}
