import { toPage } from './layout.ts'
import { runBy } from './run-by.ts'
import { addressOf } from './session-address.ts'
import { numberOf, type StepName, stepBefore, stepsOf } from './step-order.ts'
import { asksDetails } from './steps/after-done.ts'
import { steps } from './steps/steps.ts'
import { toldOf } from './told-of.ts'
import type { Rejected, Visit } from './visit.ts'

/** The page of a question. */
export async function showStep(
  visit: Visit,
  step: StepName,
  rejected: Rejected | undefined = failedBefore(visit, step),
): Promise<string> {
  const { texts, token, session, ctx } = visit
  const { title, content, isEnd } = await steps[step].view(visit, rejected)
  const before = stepBefore(token, step, asksDetails(visit))
  const address = (name: string) => addressOf(session.link_session_id, name)
  return toPage({
    texts,
    isSandbox: ctx.settings.environment === 'sandbox',
    title,
    content,
    errors: rejected?.errors ?? [],
    ...(isEnd ? {} : { progress: { step: numberOf(token, step), count: stepsOf(token).length } }),
    back: before && address(before),
    ...(step === 'adding' ? {} : { leave: address('leave') }),
    leaveText: token.item_id === null ? undefined : texts.leaving.linkAgain,
    told: toldOf(ctx, visit),
    runBy: runBy(ctx, token),
  })
}

/** What could not be linked while the user waited. */
function failedBefore({ texts, connection: { failed } }: Visit, step: StepName) {
  if (failed === undefined || step !== 'connect') return undefined
  return {
    errors: [{ field: 'file', text: texts.rejections[failed] }],
    form: new URLSearchParams(),
  }
}
