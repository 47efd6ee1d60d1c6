import { endAndGoOn } from '../../../identity-verification/settle-check.ts'
import type { StepName } from '../../../identity-verification/step.ts'
import { type Html, html } from '../../html.ts'
import { toForm } from '../../layout.ts'
import { toKnownData } from '../known-data.ts'
import type { VerifyQuestion, Visit } from '../visit.ts'

const asked = ['verify_sms', 'kyc_check', 'documentary_verification', 'selfie_check'] as const
const behind = ['watchlist_screening', 'risk_check'] as const

/** Asks whether the person agrees to be verified. */
export const terms: VerifyQuestion = {
  view(visit) {
    const { texts, client } = visit
    const { title, asks, steps, use, agree } = texts.terms
    return {
      title: title(client),
      content: html`<p>${asks(client)}</p>
${listOf(visit, steps, asked)}
${listOf(visit, texts.terms.behind, behind)}
<p>${use(client)}</p>
${toKnownData(visit)}
${toForm(visit, html`<button>${agree}</button>`)}`,
    }
  },
  answer: async ({ ctx, attempt }) => ({
    attempt: await endAndGoOn(ctx, attempt, 'accept_tos', 'success'),
  }),
}

function listOf(
  { texts, steps }: Visit,
  title: string,
  names: readonly (StepName & keyof Visit['texts']['terms']['kinds'])[],
): Html | undefined {
  const shown = names.filter((name) => steps[name].status !== 'not_applicable')
  if (shown.length === 0) return undefined
  return html`<h2>${title}</h2>
<ul>${shown.map((name) => html`<li>${texts.terms.kinds[name]}</li>`)}</ul>`
}
