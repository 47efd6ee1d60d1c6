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
  Step,
} from '../../connector/connector.ts'
import { limitsOf } from '../../connector/connector.ts'
import { AuthorizationFailed, SourceFailed, toFailure } from '../../connector/failures.ts'
import { hasSecret, hideSecrets, secretTexts } from '../../connector/hide-secrets.ts'
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
  more: Pick<AuthorizeContext, 'redirect' | 'notify' | 'former'>,
  previous: Step | undefined,
  input: Input,
): Promise<Step> {
  const secrets = secretTexts(asking.settings, previous?.secret, more.former, input.fields)
  return within(asking, secrets, async (ctx, ended) => {
    const work = asking.connector.authorize({ ...ctx, ...more }, previous, input)
    const step = await Promise.race([work, ended])
    const [issue] = issuesOfStep(step, more.redirect.state, asking.targets === 'loopback')
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

function checkMessage(message: Message, secrets: readonly string[]): Message {
  const [issue] = issuesOfMessage(message)
  if (issue !== undefined)
    throw new ConnectorFault(`a message of the connector breaks the interface: ${issue}`)
  if (message.type === 'state' && hasSecret(JSON.stringify(message.state) ?? '', secrets)) {
    throw new ConnectorFault(
      'a message of the connector breaks the interface: state: it must hold no secret',
    )
  }
  if (message.type !== 'issue') return message
  const { issue: told } = message
  return { ...message, issue: { ...told, message: hideSecrets(told.message, secrets) } }
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
        throw new SourceFailed('outage', 'the connector may not call this host')
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
    const failure = toFailure(error)
    const message = hideSecrets(textOf(failure ?? error), secrets)
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
  return (isOwn ? message : `${name}: ${message}`).slice(0, longestText)
}
