import { knownNames } from '../../../identity-verification/known-inputs.ts'
import { html } from '../../html.ts'
import { toForm } from '../../layout.ts'
import type { FieldError } from '../../visit.ts'
import { toText } from '../field.ts'
import { toInvented } from '../invented.ts'
import { findProblems, withAnswer } from '../person.ts'
import type { VerifyQuestion, Visit } from '../visit.ts'

/** Asks for the name. */
export const name: VerifyQuestion = {
  repeats: () => true,
  view(visit, rejected) {
    const { texts, drafts } = visit
    const { title, hint, given, family } = texts.name
    const before = drafts.person?.name
    const field = (name: 'given-name' | 'family-name', label: string, value?: string) =>
      toText({ name, label, autocomplete: name, maxLength: 100 }, { rejected, before: value })
    return {
      title,
      content: html`<p>${hint}</p>
${toForm(
  visit,
  html`${field('given-name', given, before?.given_name)}
${field('family-name', family, before?.family_name)}
<button>${texts.shared.continue}</button>`,
)}
${toInvented(visit, namesOf(visit))}`,
    }
  },
  async answer({ texts, drafts }, form) {
    const [given_name, family_name] = ['given-name', 'family-name'].map((field) =>
      (form.get(field) ?? '').trim().replaceAll(/\s+/g, ' '),
    ) as [string, string]
    const problems = await findProblems({ name: { given_name, family_name } })
    const errors: FieldError[] = []
    if (problems.includes('name.given_name')) {
      errors.push({ field: 'given-name', text: texts.name.noGiven })
    }
    if (problems.includes('name.family_name')) {
      errors.push({ field: 'family-name', text: texts.name.noFamily })
    }
    if (errors.length > 0) return { errors }
    return { drafts: withAnswer(drafts, { name: { given_name, family_name } }) }
  },
}

function namesOf({ texts, steps }: Visit) {
  const { names, outcomes } = texts.invented
  const shown = knownNames.filter(({ step }) => steps[step].status !== 'not_applicable')
  const told = (step: string, found: string) =>
    (outcomes as Readonly<Record<string, Readonly<Record<string, string>>>>)[step]?.[found]
  return html`<p>${names}</p>
<dl>${shown.map(({ name, step, found }) => html`<dt>${name}</dt><dd>${told(step, found)}</dd>`)}</dl>`
}
