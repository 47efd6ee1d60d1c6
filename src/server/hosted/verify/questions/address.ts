import type { IdentityVerificationAddress } from '#contract/closed.ts'
import { html } from '../../html.ts'
import { toForm } from '../../layout.ts'
import type { FieldError } from '../../visit.ts'
import { countryName } from '../countries.ts'
import { toText } from '../field.ts'
import { countryOf, findProblems, withAnswer } from '../person.ts'
import type { VerifyQuestion, Visit } from '../visit.ts'

/** The fields of the form, by the names that browsers know, and those of the interface. */
const fields = {
  'address-line1': 'street',
  'address-line2': 'street2',
  'address-level2': 'city',
  'address-level1': 'region',
  'postal-code': 'postal_code',
} as const

type Field = keyof typeof fields
const fieldNames = Object.keys(fields) as Field[]

/** Asks for the home address, by the rules of its country. */
export const address: VerifyQuestion = {
  repeats: () => true,
  view(visit, rejected) {
    const { texts, drafts } = visit
    const before = drafts.person?.address
    const labels = labelsOf(visit)
    const field = (name: Field) =>
      toText(
        { name, autocomplete: name, maxLength: 100, ...labels[name] },
        { rejected, before: before?.[fields[name]] },
      )
    return {
      title: texts.address.title,
      content: html`<p>${countryName(texts.code, countryOf(visit) ?? '')}</p>
${toForm(visit, html`${fieldNames.map(field)}<button>${texts.shared.continue}</button>`)}`,
    }
  },
  async answer(visit, form) {
    const { texts, drafts } = visit
    const given = (name: Field) => {
      const text = (form.get(name) ?? '').trim()
      return text === '' ? null : text
    }
    const typed: IdentityVerificationAddress = {
      street: given('address-line1'),
      street2: given('address-line2'),
      city: given('address-level2'),
      region: given('address-level1')?.toUpperCase() ?? null,
      postal_code: given('postal-code'),
      country: countryOf(visit) ?? '',
    }
    const errors = await findErrors(texts, typed)
    return errors.length > 0 ? { errors } : { drafts: withAnswer(drafts, { address: typed }) }
  },
}

async function findErrors(
  { address: texts }: Visit['texts'],
  typed: IdentityVerificationAddress,
): Promise<FieldError[]> {
  // What is missing is told in words of its own, and hides no other mistake.
  const { street, city } = typed
  const whole = { ...typed, street: street ?? 'A', city: city ?? 'A' }
  const problems = await findProblems({ address: whole })
  return fieldNames.flatMap((field) => {
    const name = fields[field]
    if (name === 'street' && typed.street === null) return [{ field, text: texts.noStreet }]
    if (name === 'city' && typed.city === null) return [{ field, text: texts.noCity }]
    return problems.includes(`address.${name}`) ? [{ field, text: texts.wrong[name] }] : []
  })
}

function labelsOf(visit: Visit): Record<Field, { label: string; hint?: string }> {
  const { address } = visit.texts
  const isUs = countryOf(visit) === 'US'
  return {
    'address-line1': { label: address.street },
    'address-line2': { label: address.street2 },
    'address-level2': { label: address.city },
    'address-level1': isUs
      ? { label: address.region, hint: address.regionHint }
      : { label: address.regionOptional, hint: address.regionOptionalHint },
    'postal-code': isUs
      ? { label: address.postal, hint: address.postalHint }
      : { label: address.postalOptional },
  }
}
