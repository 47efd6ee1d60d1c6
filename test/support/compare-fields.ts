import { type FieldFact, type Fields, valuesOf } from './facts.ts'
import type { ContractField, View } from './field-view.ts'

const bounds = [
  'min',
  'max',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'maxProperties',
] as const
const formats = ['date', 'date-time', 'email', 'uri', 'uuid', 'ipv4', 'ipv6']

const show = (value: unknown): string => {
  if (value === undefined) return 'nothing'
  return value instanceof Set ? JSON.stringify([...value].sort()) : JSON.stringify(value)
}

/** Lists what the facts and the contract say differently about the fields of one body. */
export function compareFields(
  place: 'request' | 'response',
  facts: Fields,
  found: Map<string, ContractField>,
): string[] {
  const differences: string[] = []
  const tell = (path: string, aspect: string, fact: unknown, contract: unknown) =>
    differences.push(
      `${place} \`${path}\`, ${aspect}: the facts say ${show(fact)}, the contract ${show(contract)}`,
    )
  for (const [path, fact] of facts) {
    const field = found.get(path)
    if (field) compareField(place, path, fact, field, tell)
    else if (!isOpen(facts, path, found)) tell(path, 'presence', 'a field', 'no field')
  }
  for (const path of found.keys()) {
    if (path === '$' || facts.has(path) || isBelowOpen(facts, path)) continue
    tell(path, 'presence', 'no field', 'a field')
  }
  return differences
}

type Tell = (path: string, aspect: string, fact: unknown, contract: unknown) => void

const isUnsettled = (fact: FieldFact | undefined, aspect: string): boolean =>
  fact?.unsettled?.includes(aspect) ?? false

const isWithin = (path: string, above: string): boolean =>
  path.startsWith(`${above}.`) || path.startsWith(`${above}[`)

/** Whether the facts leave it open that the field, or one above it that is missing, exists. */
function isOpen(facts: Fields, path: string, found: Map<string, ContractField>): boolean {
  if (isUnsettled(facts.get(path), 'presence')) return true
  return [...facts].some(
    ([above, fact]) => isWithin(path, above) && isUnsettled(fact, 'presence') && !found.has(above),
  )
}

const isBelowOpen = (facts: Fields, path: string): boolean =>
  [...facts].some(([above, fact]) => isWithin(path, above) && isUnsettled(fact, 'below'))

function compareField(
  place: 'request' | 'response',
  path: string,
  fact: FieldFact,
  { view, required }: ContractField,
  tell: Tell,
): void {
  const check = (aspect: string, stated: unknown, found: unknown) => {
    if (!isUnsettled(fact, aspect) && show(stated) !== show(found))
      tell(path, aspect, stated, found)
  }
  const types = new Set(view.types)
  const nullable = types.delete('null')
  check('type', new Set([fact.type ?? []].flat()), types)
  check('nullable', fact.nullable ?? false, nullable)
  if (!/\]$|\*$/.test(path)) check('required', fact.required ?? false, required)
  compareValues(path, fact, view, tell)
  check('default', fact['default'], view.default)
  const format = formats.includes(view.format ?? '') ? view.format : undefined
  if (!format || fact.may?.['format'] !== format) check('format', fact.format, format)
  compareBounds(place, path, fact, view, tell)
  if (place === 'response' && view.patterns.length > 0 && !fact.accepts) {
    tell(path, 'pattern', undefined, view.patterns)
  }
  if (place === 'response' && view.closed) tell(path, 'closed', false, true)
}

function compareValues(path: string, fact: FieldFact, view: View, tell: Tell): void {
  const stated = fact.values === undefined ? undefined : valuesOf(fact.values)
  const found = view.values && new Set(view.values)
  if (isUnsettled(fact, 'values') && (!found || !stated)) return
  if (!stated || !found) {
    if (stated || found) tell(path, 'values', stated?.values, found)
    return
  }
  const missing = stated.values.filter((value) => !found.has(value))
  const surplus = [...found].filter((value) => ![...stated.values, ...stated.later].includes(value))
  if (missing.length > 0) tell(path, 'values', missing, 'that these are not there')
  if (surplus.length > 0) tell(path, 'values', 'that these are not there', surplus)
}

/** Requests are bounded everywhere, so the contract may say more there; answers promise no more. */
function compareBounds(
  place: 'request' | 'response',
  path: string,
  fact: FieldFact,
  view: View,
  tell: Tell,
): void {
  const stated = bounds.filter((name) => fact[name] !== undefined)
  for (const name of stated) {
    if (view.bounds[name] !== fact[name]) tell(path, name, fact[name], view.bounds[name])
  }
  if (place === 'request') return
  for (const [name, bound] of Object.entries(view.bounds)) {
    const isSampled = fact.accepts && /Length$/.test(name)
    const allowed = [fact.may?.[name]].flat()
    if (fact[name] === undefined && !allowed.includes(bound) && !isSampled) {
      tell(path, name, undefined, bound)
    }
  }
}
