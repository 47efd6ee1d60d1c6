import { documentKinds } from '../../../identity-verification/evidence.ts'
import { isCountry } from '../../../kernel/countries.ts'
import { html } from '../../html.ts'
import { toForm } from '../../layout.ts'
import type { FieldError } from '../../visit.ts'
import { countriesIn } from '../countries.ts'
import { toRadios, toSelect } from '../field.ts'
import type { VerifyQuestion } from '../visit.ts'
import { lastFlaw } from './picture-form.ts'

/** Asks which document the person shows. */
export const document: VerifyQuestion = {
  repeats: () => true,
  view(visit, rejected) {
    const { texts, drafts, user, steps } = visit
    const { title, text, label, country, instead } = texts.document
    const isInstead = steps.kyc_check.status === 'failed'
    const before = drafts.document ?? visit.evidence.documents?.at(-1)
    const kinds = documentKinds.map((value) => ({ value, text: texts.documents[value] }))
    const chosen = rejected?.form.get('kind') ?? before?.category
    const form = html`${toRadios({ name: 'kind', label, choices: kinds, chosen }, rejected)}
${toSelect(
  {
    name: 'country',
    label: country,
    empty: texts.country.choose,
    autocomplete: 'country',
    choices: countriesIn(texts.code),
    chosen: rejected?.form.get('country') ?? before?.country ?? user.address?.country,
  },
  rejected,
)}
<button>${texts.shared.continue}</button>`
    return {
      title,
      content: html`${lastFlaw(visit, 'documents') ?? (isInstead && html`<p class="note">${instead}</p>`)}
<p>${text}</p>${toForm(visit, form)}`,
    }
  },
  answer({ texts, drafts }, form) {
    const category = documentKinds.find((kind) => kind === form.get('kind'))
    const country = form.get('country') ?? ''
    const errors: FieldError[] = []
    if (!category) errors.push({ field: 'kind', text: texts.document.missing })
    if (!isCountry(country)) errors.push({ field: 'country', text: texts.document.noCountry })
    if (errors.length > 0 || !category) return { errors }
    return { drafts: { ...drafts, document: { category, country } } }
  },
}
