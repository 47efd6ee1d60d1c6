import { beginChecks } from '../../../identity-verification/settle-check.ts'
import { currentStep } from '../../../identity-verification/step.ts'
import { html } from '../../html.ts'
import { toButton } from '../../message-page.ts'
import type { VerifyQuestion } from '../visit.ts'

/** After how many seconds the page that waits renews itself. */
export const renewSeconds = 3

/** Waits for a check that runs behind the page. */
export const waiting: VerifyQuestion = {
  view({ texts, steps, address }) {
    const { title, text, look } = texts.waiting
    const step = currentStep(steps)
    const told = step && step !== 'accept_tos' ? texts.waiting.steps[step] : ''
    return { title, content: html`<p>${told}</p><p>${text}</p>${toButton(address, look)}` }
  },
  answer: async ({ ctx, attempt }) => ({ attempt: await beginChecks(ctx, attempt) }),
}
