import { listVerificationSessions } from '../identity-verification/page-session-store.ts'
import { findAttempt } from '../identity-verification/store.ts'
import type { Context } from '../kernel/context.ts'
import { ApiError } from '../kernel/errors.ts'
import type { JobHandlers } from '../kernel/job-handlers.ts'
import { findTokenOfWork } from '../link/link-token-store.ts'
import { findSession, updatePageSession } from '../link/page-session-store.ts'
import { RejectedAnswer, type Rejection } from '../sources/connector.ts'
import { endSession, type OpenSession, readAnswers } from './change-session.ts'
import { type Connection, giveBack, readConnection } from './connection.ts'
import { linkPart } from './steps/link-accounts.ts'
import { endLinkSession } from './verify/end-link-session.ts'
import { mostSessions } from './verify/open-attempt.ts'
import type { Ways } from './visit.ts'

// Loaded by the first job that needs them, as the pages are by the first request.
async function waysOf({ settings }: Context): Promise<Ways> {
  const { listConnectors } = await import('../sources/connectors.ts')
  return { invented: undefined, connectors: listConnectors(settings) }
}

type Payload = Parameters<JobHandlers['linkRest']>[1]

/** The jobs for hosted pages. */
export const hostedJobs: JobHandlers<'linkRest' | 'linkSessionExpire' | 'verificationPageEnd'> = {
  async linkRest(ctx, payload) {
    const open = await findAdding(ctx, payload)
    if (!open) return
    const { token, session, connection } = open
    const { accounts, rest } = open.adding
    const linking = {
      ctx,
      ways: await waysOf(ctx),
      token,
      session,
      connection,
      answers: readAnswers(session),
    }
    try {
      const done = await linkPart(linking, accounts, rest)
      if ('results' in done) return await endSession(ctx, open, done.results)
      await keep(ctx, open, { ...connection, adding: { accounts, rest: done, at: ctx.nowMs } })
      await ctx.schedule('linkRest', payload)
    } catch (error) {
      if (error instanceof RejectedAnswer) await giveUp(ctx, open, error.reason)
      // The Item or the institution was removed.
      else if (error instanceof ApiError) await giveUp(ctx, open, 'fileUnfinished')
      else throw error
    }
  },

  /** The link token has expired: what the session was let in with is of no more use. */
  async linkSessionExpire(ctx, payload) {
    const session = await findSession(ctx, payload)
    // What is being added comes to its end.
    if (session?.status !== null || session.step === 'adding' || session.connection === null) return
    await giveBack(ctx, await waysOf(ctx), readConnection(session))
    await updatePageSession(ctx, { ...session, connection: null })
  },

  async verificationPageEnd(ctx, { identity_verification_id }) {
    const attempt = await findAttempt(ctx, identity_verification_id)
    // A reviewer can have opened it again.
    if (!attempt || attempt.status === 'active') return
    for (const session of await listVerificationSessions(ctx, attempt.id, mostSessions)) {
      await endLinkSession(ctx, session, attempt)
    }
  },
}

/** What follows where such a job failed permanently. */
export const hostedEndings: JobHandlers<'linkRest'> = {
  async linkRest(ctx, payload) {
    const open = await findAdding(ctx, payload)
    if (open) await giveUp(ctx, open, 'fileUnfinished')
  },
}

interface Adding extends OpenSession {
  connection: Connection
  adding: NonNullable<Connection['adding']>
}

async function findAdding(ctx: Context, payload: Payload): Promise<Adding | undefined> {
  const session = await findSession(ctx, payload)
  const token = await findTokenOfWork(ctx, payload.token_hash)
  if (session?.status !== null || !token) return undefined
  const connection = readConnection(session)
  const { adding } = connection
  return adding && { token, session, connection, adding }
}

const keep = (ctx: Context, { session }: OpenSession, connection: Connection, step?: string) =>
  updatePageSession(ctx, {
    ...session,
    step: step ?? session.step,
    connection: JSON.stringify(connection),
  })

/** Undoes what is being linked, and asks for the file again. Nothing is left of a new Item. */
async function giveUp(ctx: Context, open: Adding, failed: Rejection): Promise<void> {
  const { done } = open.connection
  const ways = await waysOf(ctx)
  if (done) await ways.connectors[done.connector]?.undo?.(ctx, open.adding.rest)
  await giveBack(ctx, ways, open.connection)
  await keep(ctx, open, { failed }, 'connect')
}
