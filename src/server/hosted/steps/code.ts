import { html } from '../html.ts'
import { toField, toForm } from '../layout.ts'
import type { Step } from '../visit.ts'
import { afterLogin } from './after-login.ts'
import { inventedOf } from './choice-of.ts'

const field = 'one-time-code'

/** Asks for the one-time code of the institution. */
export const code: Step = {
  view: (visit, rejected) => {
    const { texts, answers } = visit
    const invented = inventedOf(visit)
    const name = answers.institution?.name ?? ''
    const input = {
      name: field,
      label: texts.mfa.label,
      type: 'text',
      autocomplete: 'one-time-code',
      inputmode: 'numeric',
    }
    return {
      title: texts.mfa.title,
      content: html`<p>${texts.mfa.sent(name)}</p>
<p class="note">${texts.mfa.invented(invented.code)}</p>
${toForm(
  visit,
  html`${toField(input, rejected?.errors)}<button>${texts.shared.continue}</button>`,
)}`,
    }
  },
  answer(visit, form) {
    const { texts } = visit
    const invented = inventedOf(visit)
    const given = (form.get(field) ?? '').replaceAll(/\s/g, '')
    if (given === '') return { errors: [{ field, text: texts.mfa.noCode }] }
    if (given === invented.code) return afterLogin(visit, 'SUBMIT_MFA')
    const failure = { code: 'INVALID_MFA', key: null }
    return { errors: [{ field, text: texts.mfa.wrong }], failure }
  },
}
