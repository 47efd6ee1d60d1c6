import { type Html, html } from '../html.ts'
import { toField } from '../layout.ts'
import type { FieldError, Rejected } from '../visit.ts'

interface Choice {
  value: string
  text: string
  picture?: Html
}

interface Choices {
  name: string
  label: string
  choices: readonly Choice[]
  chosen?: string | undefined
}

const errorOf = (name: string, rejected?: Rejected): FieldError | undefined =>
  rejected?.errors.find(({ field }) => field === name)

/** A choice of a few, all of which are shown. The first one has the name as its id, for errors. */
export function toRadios({ name, label, choices, chosen }: Choices, rejected?: Rejected): Html {
  const error = errorOf(name, rejected)
  const option = (
    { value, text, picture }: Choice,
    index: number,
  ) => html`<p><label class="account">
<input type="radio" ${index === 0 && html`id="${name}" `}name="${name}" value="${value}"${value === chosen && html` checked`}>
${picture}<span>${text}</span></label></p>`
  return html`<fieldset class="field"${error && html` aria-describedby="${name}-error"`}>
<legend>${label}</legend>
${error && html`<p class="error" id="${name}-error">${error.text}</p>`}
${choices.map(option)}
</fieldset>`
}

interface Select extends Choices {
  /** What stands there before a choice. */
  empty: string
  autocomplete?: string
}

/** A choice of many. */
export function toSelect(
  { name, label, choices, chosen = '', empty, autocomplete = 'off' }: Select,
  rejected?: Rejected,
): Html {
  const error = errorOf(name, rejected)
  const option = ({ value, text }: Choice) =>
    html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`
  return html`<div class="field">
<label for="${name}">${label}</label>
${error && html`<p class="error" id="${name}-error">${error.text}</p>`}
<select id="${name}" name="${name}" autocomplete="${autocomplete}"${
    error && html` aria-invalid="true" aria-describedby="${name}-error"`
  }>
${option({ value: '', text: empty })}
${choices.map(option)}
</select>
</div>`
}

interface TextField {
  name: string
  label: string
  autocomplete: string
  hint?: string
  inputmode?: string
  maxLength?: number
  isToldAbove?: boolean
}

/** A line of text, which shows what was typed into a rejected form, or what was answered before. */
export const toText = (
  field: TextField,
  { rejected, before = '' }: { rejected: Rejected | undefined; before?: string | null | undefined },
): Html =>
  toField(
    {
      type: 'text',
      ...field,
      value: rejected ? (rejected.form.get(field.name) ?? '') : (before ?? ''),
    },
    rejected?.errors,
  )
