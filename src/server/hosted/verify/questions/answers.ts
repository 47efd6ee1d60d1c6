import { withUser } from '../../../identity-verification/attempt.ts'
import type { KycQuestion } from '../../../identity-verification/kyc-questions.ts'
import { submitCheck } from '../../../identity-verification/settle-check.ts'
import { html } from '../../html.ts'
import { toForm } from '../../layout.ts'
import { addressOf } from '../address.ts'
import { countryName } from '../countries.ts'
import { toKnownData } from '../known-data.ts'
import { personOf } from '../person.ts'
import { askedQuestions } from '../question-order.ts'
import type { VerifyQuestion, Visit } from '../visit.ts'

/** Shows what the person answered about themselves, before it is sent to the check. */
export const answers: VerifyQuestion = {
  view(visit) {
    const { texts, session } = visit
    const { title, text, labels, change, send } = texts.answers
    const line = (name: KycQuestion) => html`<div><dt>${labels[name]}</dt>
<dd>${tell[name](visit)}</dd><dd><a href="${addressOf(session.session_id, name)}" aria-label="${change(labels[name])}">${texts.answers.edit}</a></dd></div>`
    return {
      title,
      content: html`<p>${text}</p>
<dl class="answers">${askedQuestions(visit).map(line)}</dl>
${toKnownData(visit)}
${toForm(visit, html`<button>${send}</button>`)}`,
    }
  },
  async answer(visit) {
    const { ctx, attempt, drafts } = visit
    const { person: _, ...rest } = drafts
    const known = withUser(ctx, attempt, personOf(visit))
    return { drafts: rest, attempt: await submitCheck(ctx, known, { step: 'kyc_check' }) }
  },
}

const tell: Record<KycQuestion, (visit: Visit) => string> = {
  name: ({ drafts }) => {
    const { given_name = '', family_name = '' } = drafts.person?.name ?? {}
    return `${given_name} ${family_name}`
  },
  birth: ({ drafts, texts }) => texts.answers.day(drafts.person?.date_of_birth ?? ''),
  country: ({ drafts, texts }) => countryName(texts.code, drafts.person?.country ?? ''),
  address: ({ drafts }) => {
    const { street, street2, postal_code, city, region } = drafts.person?.address ?? {}
    return [street, street2, city, region, postal_code].filter((part) => part != null).join(', ')
  },
  number: ({ drafts, texts }) => {
    const value = drafts.person?.id_number?.value
    const { noNumber, numberEnding } = texts.answers
    return value === undefined ? noNumber : numberEnding(value.slice(-2))
  },
}
