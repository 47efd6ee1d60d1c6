import { findItem } from '../items/store.ts'
import type { Context } from '../kernel/context.ts'
import { findTokenOfSession, type PageToken } from '../link/link-token-store.ts'
import { findPageSession } from '../link/page-session-store.ts'
import { readAnswers } from './change-session.ts'
import type { Connector } from './connector.ts'
import { endPage, leavePage } from './end-page.ts'
import { toMessage } from './message-page.ts'
import type { PageAnswer, PageRequest } from './page-request.ts'
import { sendForm } from './send-form.ts'
import { addressOf } from './session-address.ts'
import { showStep } from './show-step.ts'
import { isStepOpen, type StepName } from './step-order.ts'
import { en } from './texts/en.ts'
import { inLanguage } from './texts/in-language.ts'
import type { Visit } from './visit.ts'

/** Which step of which session a browser asks for, with the secret of its cookie. */
interface Asked {
  sessionId: string
  step: string
  secret: string
}

/** The page of a step, or of what its form leads to. */
export async function sessionPage(
  ctx: Context,
  connector: Connector,
  asked: Asked,
  request: PageRequest,
): Promise<PageAnswer> {
  const session = await findPageSession(ctx, asked.secret)
  if (session?.link_session_id !== asked.sessionId) return toMessage(404, en.elsewhere)
  const token = await findTokenOfSession(ctx, session.token_hash)
  if (!token) return toMessage(410, en.expired)
  const texts = inLanguage(token.language)
  const go = (step: string): PageAnswer => ({ location: addressOf(asked.sessionId, step) })
  if (session.status !== null) {
    return asked.step === 'done' ? endPage(ctx, { token, session }, texts) : go('done')
  }
  const answers = readAnswers(session)
  const { step } = asked
  const { query } = request
  const address = addressOf(asked.sessionId, step) + (query.size > 0 ? `?${query}` : '')
  const visit: Visit = { ctx, connector, token, session, answers, texts, query, address }
  if (step === 'leave' && !request.isWrite) return leavePage(visit)
  if (step !== 'leave' && !isStepOpen(token, session.step, step)) return go(session.step)
  if (!request.isWrite) {
    if (await isItemGone(ctx, token)) return toMessage(410, texts.gone, { texts })
    return { status: 200, html: await showStep(visit, step as StepName) }
  }
  return sendForm(visit, step as StepName | 'leave', request.form)
}

/** Nobody is asked for a login at an Item that was removed. */
async function isItemGone(ctx: Context, { item_id }: PageToken): Promise<boolean> {
  if (item_id === null) return false
  const item = await findItem(ctx, item_id)
  return !item || item.removed_at !== null
}
