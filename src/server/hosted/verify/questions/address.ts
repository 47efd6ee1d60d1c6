import type { IdentityVerificationAddress } from '#contract/closed.ts'
import { html } from '../../html.ts'
import { toForm } from '../../layout.ts'
import type { FieldError } from '../../visit.ts'
import { countryName } from '../countries.ts'
import { toText } from '../field.ts'
import { countryOf, findProblems, withAnswer } from '../person.ts'
import { needsPostalCode, stateOf } from '../places.ts'
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
      content: html`<p>${texts.address.country(countryName(texts.code, countryOf(visit) ?? ''))}</p>
${toForm(visit, html`${fieldNames.map(field)}<button>${texts.shared.continue}</button>`)}`,
    }
  },
  async answer(visit, form) {
    const { texts, drafts } = visit
    const given = (name: Field) => {
      const text = (form.get(name) ?? '').trim()
      return text === '' ? null : text
    }
    const typed = inForm({
      street: given('address-line1'),
      street2: given('address-line2'),
      city: given('address-level2'),
      region: given('address-level1'),
      postal_code: given('postal-code'),
      country: countryOf(visit) ?? '',
    })
    const errors = await findErrors(texts, typed)
    return errors.length > 0 ? { errors } : { drafts: withAnswer(drafts, { address: typed }) }
  },
}

/** An address in the form of the interface: a state by its code, a ZIP code without its last four digits. */
function inForm(typed: IdentityVerificationAddress): IdentityVerificationAddress {
  const { region, postal_code } = typed
  if (typed.country !== 'US') return { ...typed, region: region?.toUpperCase() ?? null }
  return {
    ...typed,
    region: stateOf(region ?? '') ?? region,
    postal_code: postal_code?.replace(/^(\d{5})[- ]?\d{4}$/, '$1') ?? null,
  }
}

async function findErrors(
  { address: texts }: Visit['texts'],
  typed: IdentityVerificationAddress,
): Promise<FieldError[]> {
  const isUs = typed.country === 'US'
  const required: (string | false)[] = [
    'street',
    'city',
    needsPostalCode(typed.country) && 'postal_code',
  ]
  // What is missing hides no other mistake.
  const { street, city } = typed
  const problems = await findProblems({
    address: { ...typed, street: street ?? 'A', city: city ?? 'A' },
  })
  const isWrong = (name: Name): boolean =>
    (typed[name] === null && required.includes(name)) ||
    (name === 'region' && isUs && stateOf(typed.region ?? '') === undefined) ||
    problems.includes(`address.${name}`)
  const { missing, wrongInUs, wrong }: Words = texts
  const wordsOf = (name: Name): string =>
    (isUs ? wrongInUs[name] : undefined) ??
    (typed[name] === null ? missing[name] : undefined) ??
    wrong[name]
  return fieldNames.flatMap((field) => {
    const name = fields[field]
    return isWrong(name) ? [{ field, text: wordsOf(name) }] : []
  })
}

type Name = (typeof fields)[Field]

interface Words {
  missing: Partial<Record<Name, string>>
  wrongInUs: Partial<Record<Name, string>>
  wrong: Record<Name, string>
}

function labelsOf(visit: Visit): Record<Field, { label: string; hint?: string }> {
  const { address } = visit.texts
  const country = countryOf(visit) ?? ''
  const isUs = country === 'US'
  return {
    'address-line1': { label: address.street },
    'address-line2': { label: address.street2 },
    'address-level2': { label: address.city },
    'address-level1': isUs
      ? { label: address.region, hint: address.regionHint }
      : { label: address.regionOptional, hint: address.regionOptionalHint },
    'postal-code': isUs
      ? { label: address.postal, hint: address.postalHint }
      : { label: needsPostalCode(country) ? address.postalRequired : address.postalOptional },
  }
}
