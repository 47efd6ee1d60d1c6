import { issuesOfMessage } from '../../connector/check-message.ts'
import { issuesOfStep } from '../../connector/check-step.ts'
import type {
  AuthorizeContext,
  Connector,
  ConnectorContext,
  Input,
  Message,
  Notice,
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
import { replaceControls } from '../../control-characters.ts'
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
  more: Omit<AuthorizeContext, keyof ConnectorContext>,
  previous: Step | undefined,
  input: Input,
): Promise<Step> {
  const secrets = secretTexts(asking.settings, previous?.secret, more.former, input.fields)
  return within(asking, secrets, async (ctx, ended) => {
    const work = asking.connector.authorize({ ...ctx, ...more }, previous, input)
    const step = await Promise.race([work, ended])
    const [issue] = issuesOfStep(step, more.redirect.state, targetsOf(asking) !== 'public')
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

/**
 * Asks a connector whether a webhook is of its source and tells of something new. Throws as
 * `askToAuthorize` does, `AuthorizationFailed` for one that is not of the source.
 */
export async function askIfNews(asking: Asking, secret: unknown, notice: Notice): Promise<boolean> {
  const secrets = secretTexts(secret, asking.settings)
  return within(asking, secrets, async (ctx, ended) => {
    const { connector } = asking
    if (!connector.isNews) throw new AuthorizationFailed('rejected', 'there are no webhooks')
    return Promise.race([connector.isNews({ ...ctx, secret }, notice), ended])
  })
}

/** Reads from a source. Throws `SourceFailed` or `ConnectorFault`; what was read before that is lost. */
export async function* readSource(
  asking: Asking,
  reading: Pick<ReadContext, 'secret' | 'window' | 'balancesOnly' | 'isAsked'>,
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

/** Rows are found by their ids, so these stay as they were told. Details are shown as told. */
function toClean({ id, replaces, details, ...told }: SourceTransaction): SourceTransaction {
  return {
    ...cleaned(told),
    description: plainText(told.description),
    ...(id === undefined ? {} : { id }),
    ...(replaces === undefined ? {} : { replaces }),
    ...(details === undefined ? {} : { details: withTexts(details, replaceControls) }),
  }
}

/**
 * The fields of a row or an account, whose texts are shown to people. Control characters could forge
 * what a page shows, and PostgreSQL stores no NUL. Texts without anything else are left out.
 */
const cleaned = <Value extends object>(value: Value): Value =>
  Object.fromEntries(
    Object.entries(withTexts(value, plainText)).filter(([, one]) => one !== ''),
  ) as Value

/** A value with a change of each text in it. */
function withTexts<Value>(value: Value, change: (text: string) => string): Value
function withTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((one) => withTexts(one, change))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  return Object.fromEntries(entries.map(([name, one]) => [name, withTexts(one, change)]))
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

/** Which addresses may be called. */
const targetsOf = ({ connector, settings, targets = 'public' }: Asking) =>
  connector.allowsPrivate?.(settings) === true ? 'private' : targets

function contextOf(asking: Asking, signal: AbortSignal): ConnectorContext {
  const { connector, settings, now } = asking
  const call = createCallOut({ targets: targetsOf(asking), signal })
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
