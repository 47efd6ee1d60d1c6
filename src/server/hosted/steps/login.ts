import { type Html, html } from '../html.ts'
import { toField, toForm } from '../layout.ts'
import type { FieldError, Outcome, Step, Visit } from '../visit.ts'
import { afterLogin } from './after-login.ts'
import { inventedOf } from './choice-of.ts'

/** Asks for the login at the institution. */
export const login: Step = {
  repeats: () => (name) => name === 'username',
  view: (visit, rejected) => {
    const { texts, token, answers } = visit
    const name = answers.institution?.name ?? texts.login.institution
    const isAgain = token.item_id !== null
    return {
      title: isAgain ? texts.login.titleAgain(name) : texts.login.title(name),
      content: html`${isAgain && html`<p>${texts.login.again(token.client_name)}</p>`}
${listLogins(visit)}
${toForm(
  visit,
  html`${toField(
    {
      name: 'username',
      label: texts.login.username,
      type: 'text',
      autocomplete: 'username',
      value: rejected?.form.get('username') ?? '',
    },
    rejected?.errors,
  )}
${toField(
  {
    name: 'password',
    label: texts.login.password,
    type: 'password',
    autocomplete: 'current-password',
  },
  rejected?.errors,
)}
<button>${texts.login.submit}</button>`,
)}`,
    }
  },
  answer(visit, form) {
    const { texts } = visit
    const invented = inventedOf(visit)
    const username = (form.get('username') ?? '').trim()
    const errors = missing(visit, username, form.get('password') ?? '')
    if (errors.length > 0) return { errors }
    const result = invented.logIn(username)
    if (result === 'in') return afterLogin(visit, 'SUBMIT_CREDENTIALS')
    if (result === 'code') return { to: 'code', events: [['SUBMIT_CREDENTIALS', {}]] }
    const failed: Outcome = {
      errors: [{ field: 'username', text: texts.login[result.text] }],
      failure: result,
    }
    return failed
  },
}

function missing({ texts }: Visit, username: string, password: string): FieldError[] {
  return [
    ...(username === '' ? [{ field: 'username', text: texts.login.noUsername }] : []),
    ...(password === '' ? [{ field: 'password', text: texts.login.noPassword }] : []),
  ]
}

/** The invented logins, so that nobody enters a real one. */
const listLogins = ({ texts }: Visit): Html =>
  html`<section class="note" aria-labelledby="logins">
<h2 id="logins">${texts.login.invented}</h2>
<p>${texts.login.inventedAdvice}</p>
<dl>${Object.entries(texts.login.logins).map(
    ([name, meaning]) => html`<dt>${name}</dt><dd>${meaning}</dd>`,
  )}</dl>
</section>`
