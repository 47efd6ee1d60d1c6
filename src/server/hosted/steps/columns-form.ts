import { columnsOf, dateFormsFor } from '../../sources/column-answers.ts'
import type { Question } from '../../sources/connector.ts'
import { type Html, html } from '../html.ts'
import { toForm } from '../layout.ts'
import type { Rejected, Visit } from '../visit.ts'

type Columns = Extract<Question, { kind: 'columns' }>

/** A choice of the form, which is nothing at first where nothing is guessed. */
interface Choice {
  name: string
  label: string
  hint?: string
  options: readonly (readonly [value: string, text: string])[]
  /** The text of the option for nothing. */
  none: string
  guess: string | number | undefined
}

/** Asks which column of a CSV file is what, beside its first rows. */
export function columnsForm(visit: Visit, { table }: Columns, rejected?: Rejected): Html {
  const { columns: told, shared } = visit.texts
  const { guess } = table
  const options = columnsOf(table).map(
    (column) => [String(column), nameOf(visit, table, column)] as const,
  )
  const select = (choice: Choice) => toSelect(choice, rejected)
  const column = (name: keyof typeof told.labels, none: string, guessed?: number) =>
    select({ name, label: told.labels[name], options, none, guess: guessed })
  const { choose, absent } = told
  return html`<p>${told.how}</p>
${preview(visit, table)}
${toForm(
  visit,
  html`${column('date', choose, guess.date)}
${select({
  name: 'form',
  label: told.form,
  hint: told.formHint,
  options: dateFormsFor(table).map((form) => [form, exampleOf(form, visit.texts.code)] as const),
  none: choose,
  guess: guess.dateForm,
})}
<fieldset class="about"><legend>${told.amounts}</legend>
<p class="hint">${told.amountsHint}</p>
${column('amount', absent, guess.amount)}
${toCheck('inverted', told.inverted, rejected?.form.has('inverted') ?? false)}
${column('in', absent, guess.in)}
${column('out', absent, guess.out)}
${select({
  name: 'decimal',
  label: told.decimal,
  options: [
    ['.', '1,234.56'],
    [',', '1.234,56'],
  ],
  none: choose,
  guess: guess.decimal,
})}
</fieldset>
${textsOf(visit, options, guess.description, rejected)}
${column('counterparty', absent, guess.counterparty)}
${column('balance', absent, guess.balance)}
${column('currency', absent, guess.currency)}
${column('account', absent, guess.account)}
<button>${shared.continue}</button>
<p><button class="second" name="another" value="1">${told.another}</button></p>`,
)}`
}

type Table = Columns['table']

/** A column by its name, or by its number, with what stands in it first. */
function nameOf({ texts }: Visit, { header, rows }: Table, column: number): string {
  const name = header[column - 1] || texts.columns.column(column)
  const [example] = rows.flatMap((row) => row[column - 1] || [])
  return example === undefined ? name : `${name}: ${example}`
}

const preview = ({ texts }: Visit, { header, rows }: Table): Html => {
  const { columns: told } = texts
  const width = Math.max(header.length, ...rows.map((row) => row.length))
  const places = Array.from({ length: width }, (_, index) => index)
  return html`<div class="preview" role="region" aria-labelledby="rows" tabindex="0">
<table><caption id="rows">${told.rows(rows.length)}</caption>
<thead><tr>${places.map((at) => html`<th scope="col">${header[at] || told.column(at + 1)}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${places.map((at) => html`<td>${row[at] ?? ''}</td>`)}</tr>`)}</tbody>
</table></div>`
}

function toSelect({ name, label, hint, options, none, guess }: Choice, rejected?: Rejected): Html {
  const error = rejected?.errors.find(({ field }) => field === name)
  const chosen = rejected && rejected.form.size > 0 ? rejected.form.get(name) : String(guess ?? '')
  const described = [...(hint ? [`${name}-hint`] : []), ...(error ? [`${name}-error`] : [])]
  const option = ([value, text]: readonly [string, string]) =>
    html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`
  return html`<div class="field">
<label for="${name}">${label}</label>
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${error && html`<p class="error" id="${name}-error">${error.text}</p>`}
<select id="${name}" name="${name}"${error && html` aria-invalid="true"`}${
    described.length > 0 && html` aria-describedby="${described.join(' ')}"`
  }>
${option(['', none])}
${options.map(option)}
</select>
</div>`
}

const toCheck = (name: string, text: string, isChecked: boolean): Html =>
  html`<label class="check" for="${name}"><input id="${name}" type="checkbox" name="${name}" value="1"${
    isChecked && html` checked`
  }> <span>${text}</span></label>`

function textsOf(
  { texts }: Visit,
  options: readonly (readonly [string, string])[],
  guess: readonly number[],
  rejected?: Rejected,
): Html {
  const { columns: told } = texts
  const error = rejected?.errors.find(({ field }) => field.startsWith('text-'))
  const isGuess = !rejected || rejected.form.size === 0
  const isChecked = (value: string) =>
    isGuess ? guess.map(String).includes(value) : rejected.form.has(`text-${value}`)
  return html`<fieldset class="about"${error && html` aria-describedby="texts-error"`}>
<legend>${told.text}</legend>
${error && html`<p class="error" id="texts-error">${error.text}</p>`}
${options.map(([value, text]) => toCheck(`text-${value}`, text, isChecked(value)))}
</fieldset>`
}

/** The first of February in a form, so that day and month cannot be mistaken. */
function exampleOf(form: string, language: string): string {
  const month = new Intl.DateTimeFormat(language, { month: 'short', timeZone: 'UTC' })
  const parts: Readonly<Record<string, string>> = {
    ...{ YYYY: '2026', YY: '26', MMM: month.format(Date.UTC(2026, 1, 1)) },
    ...{ MM: '02', M: '2', DD: '01', D: '1' },
  }
  return form.replaceAll(/YYYY|YY|MMM|MM|M|DD|D/g, (part) => parts[part] ?? part)
}
