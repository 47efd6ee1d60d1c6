import { numberTypes } from '../../../identity-verification/kyc-questions.ts'
import { html } from '../../html.ts'
import { toForm } from '../../layout.ts'
import type { FieldError } from '../../visit.ts'
import { countryName } from '../countries.ts'
import { toRadios, toText } from '../field.ts'
import { countryOf, findProblems, withAnswer } from '../person.ts'
import type { VerifyQuestion, Visit } from '../visit.ts'

/** Asks for a number that the country has given to the person. */
export const number: VerifyQuestion = {
  // Only the kind: a number of that sort is never sent back.
  repeats: (field) => field === 'kind',
  view(visit, rejected) {
    const { texts } = visit
    const { title, text, kind, label, hint, none } = texts.number
    const types = typesOf(visit)
    const choices = types.map((value) => ({ value, text: texts.number.types[value] }))
    const [only] = choices
    const isOne = choices.length === 1 && only
    const radios =
      !isOne &&
      toRadios(
        { name: 'kind', label: kind, choices, chosen: chosenOf(visit, rejected?.form) },
        rejected,
      )
    const field = {
      name: 'number',
      label: isOne ? only.text : label,
      hint,
      autocomplete: 'off',
      maxLength: 60,
    }
    return {
      title,
      content: html`<p>${texts.address.country(countryName(texts.code, countryOf(visit) ?? ''))}</p>
<p>${text}</p>
${toForm(
  visit,
  html`${radios}${toText(field, { rejected })}<button>${texts.shared.continue}</button>
<p class="other"><button class="second" name="none" value="yes">${none}</button></p>`,
)}`,
    }
  },
  async answer(visit, form) {
    const { drafts, texts } = visit
    if (form.has('none')) return { drafts: withAnswer(drafts, { id_number: null }) }
    const types = typesOf(visit)
    const chosen = types.length === 1 ? types[0] : types.find((one) => one === form.get('kind'))
    const value = (form.get('number') ?? '').replaceAll(/[\s.\-/]/g, '')
    const errors: FieldError[] = []
    if (chosen === undefined) errors.push({ field: 'kind', text: texts.number.noKind })
    if (value === '') errors.push({ field: 'number', text: texts.number.missing })
    if (errors.length > 0 || chosen === undefined) return { errors }
    const problems = await findProblems({ id_number: { value, type: chosen } })
    if (problems.length > 0) return { errors: [{ field: 'number', text: texts.number.wrong }] }
    return { drafts: withAnswer(drafts, { id_number: { value, type: chosen } }) }
  },
}

const typesOf = (visit: Visit) => numberTypes(countryOf(visit) ?? '')

const chosenOf = ({ drafts }: Visit, form: URLSearchParams | undefined): string | undefined =>
  form?.get('kind') ?? drafts.person?.id_number?.type
