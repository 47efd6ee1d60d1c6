import type { Context } from '../kernel/context.ts'
import { askingStep } from './asking.ts'
import { toButton, toMessage } from './message-page.ts'
import type { PageAnswer, PageRequest } from './page-request.ts'
import { addressOf } from './session-address.ts'
import { type Asked, openVisit } from './session-page.ts'
import type { Ways } from './visit.ts'

/** The session that the state of a way back names. */
export const sessionOfState = (state: string): string | undefined =>
  /^([0-9a-f-]{36})\.[0-9a-f]{64}$/.exec(state)?.[1]

/**
 * The form that stands for what a website answers, if it answers the question that is open. The state
 * was made for that question alone, so a forged one, and one that was used, fail.
 */
export async function comeBack(
  ctx: Context,
  ways: Ways,
  asked: Asked,
  request: PageRequest,
): Promise<{ form: URLSearchParams } | { answer: PageAnswer }> {
  const opened = await openVisit(ctx, ways, asked, { ...request, query: new URLSearchParams() })
  if ('answer' in opened) return opened
  const { session, connection, texts } = opened.visit
  const { question } = connection
  const isOpen = session.step === askingStep(opened.visit) && question?.kind === 'redirect'
  if (!isOpen || question.state !== request.query.get('state')) {
    const more = toButton(addressOf(asked.sessionId, session.step), texts.strayed.go)
    const isSandbox = ctx.settings.environment === 'sandbox'
    return { answer: toMessage(409, texts.strayed, { texts, isSandbox, more }) }
  }
  const form = new URLSearchParams(request.query)
  form.set('turn', String(session.turn))
  return { form }
}
