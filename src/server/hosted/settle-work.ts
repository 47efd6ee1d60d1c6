import type { Context } from '../kernel/context.ts'
import { findPageSession, updatePageSession } from '../link/page-session-store.ts'
import { readConnection } from './connection.ts'
import type { PageAnswer, PageRequest } from './page-request.ts'
import { applyOutcome } from './send-form.ts'
import { addressOf } from './session-address.ts'
import { type Asked, openVisit } from './session-page.ts'
import type { StepName } from './step-order.ts'
import type { Later, Settle, Ways } from './visit.ts'

/** Work that a form has begun, and the turn of the session that it belongs to. */
export interface Begun {
  later: Later
  turn: number
}

interface Done {
  asked: Asked
  request: PageRequest
  turn: number
  settle: Settle
}

/** Writes what work led to, unless the session went on without it. */
export async function settleWork(
  ctx: Context,
  ways: Ways,
  { asked, request, turn, settle }: Done,
): Promise<PageAnswer> {
  const opened = await openVisit(ctx, ways, asked, request)
  if ('answer' in opened || opened.visit.session.turn !== turn) {
    await settle.undo?.(ctx)
    if ('answer' in opened) return opened.answer
    const { session } = opened.visit
    return { location: addressOf(session.link_session_id, session.step) }
  }
  const { since: _, ...connection } = opened.visit.connection
  const visit = { ...opened.visit, connection }
  return applyOutcome(visit, asked.step as StepName, request.form, await settle.outcome(visit))
}

/** Lets the user answer again after work that has failed. */
export async function clearWork(ctx: Context, { secret }: Asked, turn: number): Promise<void> {
  const session = await findPageSession(ctx, secret)
  if (session?.status !== null || session.turn !== turn) return
  const { since: _, ...connection } = readConnection(session)
  await updatePageSession(ctx, { ...session, connection: JSON.stringify(connection) })
}
