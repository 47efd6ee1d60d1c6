import type { FoundAccount } from '../../sources/connector.ts'
import { accountName } from '../account-name.ts'
import { type Html, html } from '../html.ts'
import { toField, toForm } from '../layout.ts'
import type { Texts } from '../texts/texts.ts'
import type { FieldError, Rejected, Step, View, Visit } from '../visit.ts'
import { choicesOf, lacks } from './after-done.ts'
import { type KindName, kinds, readDetails, toTyped, unshared } from './read-details.ts'
import { readNotes, toldLine } from './read-notes.ts'
import { saidBy } from './said-by.ts'

/** Asks what the source does not tell of accounts. */
export const details: Step = {
  view,
  repeats: () => (name) => /^(?:kind|number|currency|balance)-/.test(name),
  answer(visit, form) {
    const { texts } = visit
    const errors: FieldError[] = []
    const entries = openAccounts(visit).map((account) => {
      const { answered, wrong } = readDetails(texts, account, form)
      errors.push(...wrong)
      return [account.id, answered] as const
    })
    if (errors.length > 0) return { errors }
    const answers = { ...visit.connection.kinds, ...Object.fromEntries(entries) }
    const connection = { ...visit.connection, kinds: answers }
    if (choicesOf({ ...visit, connection }).length > 0) return { to: 'share', connection }
    const [first] = entries
    return { errors: [{ field: `kind-${first?.[0]}`, text: texts.rejections.noAccounts }] }
  },
}

const openAccounts = ({ connection }: Visit): FoundAccount[] =>
  (connection.done?.accounts ?? []).filter(lacks)

function view(visit: Visit, rejected?: Rejected): View {
  const { texts } = visit
  const open = openAccounts(visit)
  return {
    title: texts.details.title(open.length),
    content: html`${readNotes(visit)}${saidBy(texts, visit.connection.done?.said)}
<p>${texts.details.why}</p>
${toForm(
  visit,
  html`${open.map((account) => questionsOf(visit, account, rejected))}
<button>${texts.shared.continue}</button>`,
)}`,
  }
}

function questionsOf(visit: Visit, account: FoundAccount, rejected: Rejected | undefined): Html {
  const { texts } = visit
  const { id, kind, lacksBalance, lacksNumber, lacksCurrency, currency } = account
  const typed = toValues(visit, account, rejected)
  const field = (name: string, more: { label: string; hint: string }) =>
    toField(
      {
        name: `${name}-${id}`,
        type: 'text',
        autocomplete: 'off',
        value: typed(name),
        ...more,
      },
      rejected?.errors,
    )
  const { balance, balanceHint, number, numberHint, currency: code, currencyHint } = texts.details
  return html`<fieldset class="about">
<legend>${accountName(texts, account)}</legend>
${toldLine(texts, account)}
${kind === null && kindField(texts, `kind-${id}`, typed('kind'), rejected)}
<div class="needed">
${lacksNumber && field('number', { label: number, hint: numberHint })}
${lacksCurrency && field('currency', { label: code, hint: currencyHint })}
${lacksBalance && field('balance', { label: balance(currency), hint: balanceHint })}
</div>
</fieldset>`
}

/** What a field shows: what was typed into a rejected form, or else what was answered before. */
function toValues(
  { connection, texts }: Visit,
  { id }: FoundAccount,
  rejected: Rejected | undefined,
): (name: string) => string {
  const answered = connection.kinds?.[id]
  const before = answered ? toTyped(texts, answered) : {}
  return (name) => (rejected ? rejected.form.get(`${name}-${id}`) : before[name]) ?? ''
}

function kindField(texts: Texts, field: string, chosen: string, rejected?: Rejected): Html {
  const error = rejected?.errors.find((one) => one.field === field)
  const option = (value: string, text: string) =>
    html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`
  return html`<div class="field">
<label for="${field}">${texts.details.kind}</label>
${error && html`<p class="error" id="${field}-error">${error.text}</p>`}
<select id="${field}" name="${field}"${
    error && html` aria-invalid="true" aria-describedby="${field}-error"`
  }>
<option value="">${texts.details.choose}</option>
${Object.keys(kinds).map((one) => option(one, texts.details.kinds[one as KindName]))}
${option(unshared, texts.details.none)}
</select>
</div>`
}
