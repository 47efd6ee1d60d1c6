import type { Step as SourceStep } from '../../connector/connector.ts'
import { plainText } from '../../statements/values.ts'
import { newId } from '../kernel/ids.ts'
import { writePageKey } from '../kernel/page-key.ts'
import { type Asking, askToAuthorize, ConnectorFault, readSource } from '../protocols/ask-source.ts'
import type { Protocol } from '../protocols/protocol.ts'
import {
  AuthorizationFailed,
  type FailureKind,
  type RejectedInput,
  SourceFailed,
} from '../protocols/source-failed.ts'
import { findPull, insertRevocation } from '../queue/pull-store.ts'
import { linkConnected, type ToldAccount } from './connected-item.ts'
import {
  type Ask,
  type Connector,
  type Input,
  type Question,
  RejectedAnswer,
  type Rejection,
  type Step,
} from './connector.ts'
import { findAccounts } from './find-accounts.ts'
import { collectStatements, wordsOf } from './pulled-statements.ts'
import { resolveSettings } from './resolve-settings.ts'
import { type LetIn, letInOf, resumeAt, takeCall } from './session-calls.ts'
import { openSecret, sealSecret } from './source-secret.ts'
import { sourceWebhooksPath } from './webhooks-path.ts'

/** What a question stores: what the connector needs to go on, or what the service is let in with. */
type Held = { own?: unknown; notify: string } | { letIn: LetIn }

/** What the user has authorized. */
interface Secret extends LetIn {
  told: ToldAccount[]
}

/** How long a page waits before it asks again a source that gave nothing. */
const pollMs = 10_000
/** A session counts on an answer within a minute. */
const mostMs = 50_000

/** Asks the user to begin. */
const begin: Question = {
  kind: 'form',
  schema: { type: 'object', properties: {}, required: [] },
}

/**
 * Links Items whose data the service reads by itself. All organizations behind an authorization are
 * one Item.
 */
export function pulledConnector(protocol: Protocol): Connector {
  const hasToken = protocol.id === 'simplefin'
  return {
    id: protocol.id,
    first: () => protocol.first ?? begin,
    resume: (ctx, itemId) => resumeAt(ctx, itemId, hasToken),
    async authorize(ask, previous, input) {
      const source: Source = { ask, protocol, asking: await toAsking(ask, protocol) }
      if (previous.kind === 'resume') {
        return readAccounts(source, await ask.read((ctx) => letInOf(ctx, ask.itemId)))
      }
      const held = ('secret' in previous ? previous.secret : undefined) as Held | undefined
      // What let the service in may be valid only once, so a wait keeps what it gave.
      if (held && 'letIn' in held) return readAccounts(source, held.letIn)
      const notify = held?.notify ?? newId('page_key', '', ask.service.bytes)
      return next(source, toSourceStep(protocol, previous, held), { input, notify })
    },
    link(ctx, order) {
      const { secret, calls, told, notify } = order.secret as Secret
      return linkConnected(ctx, order, { connector: protocol, secret, calls, told, notify })
    },
    async abandon(ctx, held) {
      const { secret, newAt } = held as Secret
      // The Item of update mode goes on with it.
      if (newAt === undefined || !protocol.revoke) return
      await insertRevocation(ctx, {
        connector: protocol.id,
        secret: sealSecret(ctx.keys, secret),
        institution_id: newAt,
        due_at: ctx.realMs(),
      })
      ctx.beginDueWork()
    },
  }
}

/** A source, and for whom it is asked. */
interface Source {
  ask: Ask
  protocol: Protocol
  asking: Asking
}

async function toAsking({ service, institution }: Ask, connector: Protocol): Promise<Asking> {
  const settings = await resolveSettings(institution.settings)
  if (settings === undefined) throw new RejectedAnswer('institutionUnreachable')
  const targets = service.settings.callTargets
  return { connector, settings, targets, now: service.clock(), mostMs }
}

/** The step that the connector gave, without what the service has added. */
function toSourceStep(
  { first }: Protocol,
  question: Question,
  held: Held | undefined,
): SourceStep | undefined {
  if (held === undefined) return first
  return { ...question, secret: (held as { own?: unknown }).own } as SourceStep
}

interface Answered {
  input: Input
  /** The token of the address to which the source may send webhooks. */
  notify: string
}

async function next(
  source: Source,
  previous: SourceStep | undefined,
  { input, notify }: Answered,
): Promise<Step> {
  const { ask, protocol, asking } = source
  try {
    const { fields } = input
    const step = await askToAuthorize(asking, await toWays(ask, notify), previous, { fields })
    if (step.kind !== 'done')
      return { ...step, secret: { own: step.secret, notify } satisfies Held }
    const { secret, expiresAt } = step
    const letIn: LetIn = {
      ...{ secret, calls: [], notify },
      ...(expiresAt === undefined ? {} : { expiresAt }),
      ...(ask.itemId === null ? { newAt: ask.institution.institution_id } : {}),
    }
    return await readAccounts(source, letIn)
  } catch (error) {
    throw toRejection(ask, protocol, error)
  }
}

/** How the source and its website reach the service, and what the Item of update mode has. */
async function toWays(ask: Ask, notify: string) {
  const { service, clientId, itemId, daysRequested, back, read } = ask
  const { address, state } = back
  const pull = itemId === null ? undefined : await read((ctx) => findPull(ctx, itemId))
  return {
    redirect: { address, state },
    notify: `${service.publicUrl()}${sourceWebhooksPath}/${writePageKey({ clientId, secret: notify })}`,
    daysRequested,
    ...(pull ? { former: openSecret(service.keys, pull.secret) } : {}),
  }
}

function toRejection(ask: Ask, { id }: Protocol, error: unknown): unknown {
  const { service } = ask
  if (error instanceof AuthorizationFailed) {
    const reason = id === 'simplefin' ? tokenWords[error.reason] : undefined
    const more = error.reason === 'denied' ? { code: 'ACCESS_DENIED' } : {}
    return new RejectedAnswer(reason ?? words[error.reason], more)
  }
  if (error instanceof ConnectorFault) {
    service.log.error(error, `the connector ${id} could not authorize`)
    return new RejectedAnswer('institutionUnreachable')
  }
  if (!(error instanceof SourceFailed)) return error
  tellFailure(ask, id, error)
  if (error.kind === 'login') return new RejectedAnswer('inputRejected')
  return new RejectedAnswer(error.kind === 'setup' ? 'institutionAsks' : 'institutionUnreachable')
}

/** The page says only that the institution cannot be used now. */
function tellFailure(
  { service, institution }: Ask,
  connector: string,
  failure: SourceFailed,
): void {
  const { kind, message: reason } = failure
  const { institution_id } = institution
  const told = { connector, institution_id, result: kind, reason }
  service.log.warn?.(told, 'a source could not be connected')
}

const words: Readonly<Record<RejectedInput, Rejection>> = {
  malformed: 'inputMalformed',
  rejected: 'inputRejected',
  used: 'inputUsed',
  denied: 'websiteDenied',
  foreign_host: 'inputRejected',
}

const tokenWords: Readonly<Partial<Record<RejectedInput, Rejection>>> = {
  malformed: 'setupTokenMalformed',
  foreign_host: 'setupTokenForeign',
  used: 'setupTokenUsed',
}

/** Reads which accounts there are. Their rows come with the first pull. */
async function readAccounts(source: Source, letIn: LetIn): Promise<Step> {
  const { ask, protocol, asking } = source
  const called = await takeCall(ask, protocol, letIn, asking.now)
  if (!called) return waitFor(letIn)
  const { secret, expiresAt } = called
  const today = new Date(asking.now).toISOString().slice(0, 10)
  const reading = { secret, window: { from: today, to: today }, balancesOnly: true, isAsked: false }
  try {
    const messages = readSource(asking, reading, undefined)
    const { statements, issues } = await collectStatements(protocol, messages)
    const told = statements.map(({ account, balances }, index) => {
      return { id: String(index), account, balances }
    })
    const accounts = await findAccounts(ask, told)
    for (const { currency, barrier } of accounts) {
      if (barrier === undefined) continue
      const details = {
        connector: protocol.id,
        currency: plainText(currency).slice(0, 40),
        barrier,
      }
      ask.service.log.warn?.(details, 'an account of a source cannot be connected')
    }
    const authorized: Secret = { ...called, told }
    return {
      kind: 'done',
      secret: authorized,
      accounts,
      said: wordsOf(issues),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    }
  } catch (error) {
    if (error instanceof ConnectorFault) {
      ask.service.log.error(error, `the connector ${protocol.id} could not read accounts`)
      return waitFor(called)
    }
    if (!(error instanceof SourceFailed)) throw error
    tellFailure(ask, protocol.id, error)
    return afterFailure(protocol, error.kind, called)
  }
}

const waitFor = (letIn: LetIn): Step => ({
  kind: 'wait',
  pollMs,
  isOutage: true,
  secret: { letIn } satisfies Held,
})

/** Neither an outage nor a payment must cost what let the service in. */
function afterFailure(protocol: Protocol, kind: FailureKind, letIn: LetIn): Step {
  if (kind === 'outage' || kind === 'limit') return waitFor(letIn)
  if (kind === 'setup') {
    const next: Question = { kind: 'wait', pollMs, isSetup: true, secret: { letIn } }
    throw new RejectedAnswer('institutionAsks', { ...facts('USER_SETUP_REQUIRED'), next })
  }
  throw new RejectedAnswer('institutionRejects', {
    ...facts('ITEM_LOGIN_REQUIRED'),
    // The secret is of no more use, also that of the Item.
    next: protocol.first ?? begin,
  })
}

const facts = (key: 'ITEM_LOGIN_REQUIRED' | 'USER_SETUP_REQUIRED') => ({ code: key, key })
