import { createCallOut } from '../protocols/call-out.ts'
import type { ProtocolContext } from '../protocols/protocol.ts'
import { claim, longest } from '../protocols/simplefin/claim.ts'
import { simplefin as protocol } from '../protocols/simplefin/simplefin.ts'
import {
  AuthorizationFailed,
  type FailureKind,
  type RejectedInput,
  SourceFailed,
} from '../protocols/source-failed.ts'
import { linkConnected, type ToldAccount } from './connected-item.ts'
import {
  type Ask,
  type Connector,
  type Question,
  RejectedAnswer,
  type Rejection,
  type Step,
} from './connector.ts'
import { findAccounts } from './find-accounts.ts'
import { collectStatements, wordsOf } from './pulled-statements.ts'
import { resolveSettings } from './resolve-settings.ts'
import { accessOf, type Claimed, resumeAt, takeCall } from './simplefin-calls.ts'

/** What the user has authorized. */
interface Secret extends Claimed {
  told: ToldAccount[]
}

const question: Question = {
  kind: 'form',
  schema: {
    type: 'object',
    properties: { setup_token: { type: 'string', format: 'password', maxLength: longest } },
    required: ['setup_token'],
  },
}

/** How long a page waits before it asks again a source that gave nothing. */
const pollMs = 10_000

/** Connects a user by a setup token of SimpleFIN. All organizations behind it are one Item. */
export const simplefinConnector: Connector = {
  id: 'simplefin',
  first: () => question,
  resume: resumeAt,
  async authorize(ask, previous, { fields }) {
    const ctx = await contextOf(ask)
    // A token can be claimed only once, so a wait keeps what it gave.
    if (previous.kind === 'wait') return readAccounts(ask, ctx, previous.secret as Claimed)
    const claimed =
      previous.kind === 'resume'
        ? await ask.read((read) => accessOf(read, ask.itemId))
        : await claimToken(ctx, fields['setup_token'] ?? '')
    return readAccounts(ask, ctx, claimed)
  },
  link(ctx, order) {
    const { access, calls, told } = order.secret as Secret
    return linkConnected(ctx, order, { connector: protocol.id, secret: access, calls, told })
  },
}

async function contextOf({ service, institution }: Ask): Promise<ProtocolContext> {
  const settings = await resolveSettings(institution.settings)
  if (settings === undefined) throw new RejectedAnswer('institutionUnreachable')
  const targets = service.settings.callTargets ?? 'public'
  return { settings, call: createCallOut({ targets }), now: service.clock() }
}

async function claimToken(ctx: ProtocolContext, token: string): Promise<Claimed> {
  try {
    return { access: await claim(ctx, token), calls: [] }
  } catch (error) {
    if (error instanceof AuthorizationFailed) {
      throw new RejectedAnswer(rejections[error.reason], { field: 'setup_token' })
    }
    if (error instanceof SourceFailed) throw new RejectedAnswer('institutionUnreachable')
    throw error
  }
}

const rejections: Readonly<Record<RejectedInput, Rejection>> = {
  malformed: 'setupTokenMalformed',
  foreign_host: 'setupTokenForeign',
  used: 'setupTokenUsed',
}

/** Reads which accounts there are. Their rows come with the first pull. */
async function readAccounts(ask: Ask, ctx: ProtocolContext, claimed: Claimed): Promise<Step> {
  const called = await takeCall(ask, claimed, ctx.now)
  if (!called) return waitFor(claimed)
  const { access, calls } = called
  const today = new Date(ctx.now).toISOString().slice(0, 10)
  const reading = { secret: access, window: { from: today, to: today }, state: undefined }
  try {
    const messages = protocol.read(ctx, { ...reading, balancesOnly: true })
    const { statements, issues } = await collectStatements(protocol.id, messages)
    const told = statements.map(({ account, balances }, index) => {
      return { id: String(index), account, balances }
    })
    const accounts = await findAccounts(ask, told)
    const secret: Secret = { access, calls, told }
    return { kind: 'done', secret, accounts, said: wordsOf(issues) }
  } catch (error) {
    if (!(error instanceof SourceFailed)) throw error
    return afterFailure(error.kind, called)
  }
}

const waitFor = (secret: Claimed): Step => ({ kind: 'wait', pollMs, isOutage: true, secret })

/** Neither an outage nor a payment must cost the token. */
function afterFailure(kind: FailureKind, claimed: Claimed): Step {
  if (kind === 'outage' || kind === 'limit') return waitFor(claimed)
  if (kind === 'setup') {
    const next: Question = { kind: 'wait', pollMs, isSetup: true, secret: claimed }
    throw new RejectedAnswer('institutionAsks', { ...facts('USER_SETUP_REQUIRED'), next })
  }
  throw new RejectedAnswer('institutionRejects', {
    ...facts('ITEM_LOGIN_REQUIRED'),
    field: 'setup_token',
    // The access address is of no more use, also that of the Item.
    next: question,
  })
}

const facts = (key: 'ITEM_LOGIN_REQUIRED' | 'USER_SETUP_REQUIRED') => ({ code: key, key })
