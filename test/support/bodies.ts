import type { Change, FieldFact, Fields, Rules } from './facts.ts'

type Json = Record<string, unknown>

/** A case that the generated validators, or exact ones, have to judge. */
export interface Case {
  name: string
  body: unknown
  /** The code that it is rejected with; undefined when it is accepted. */
  code?: string
}

/** The cases that stand in the facts. */
export function casesOf(rules: Rules): Case[] {
  const changed = (changes: Record<string, Change> | undefined, verb: string) =>
    Object.entries(changes ?? {}).map(([name, change]) => {
      const body = applied(rules.base, change)
      const code = verb === 'refuses' ? (change.code ?? 'refused') : undefined
      return { name: `${verb} ${name}`, body, ...(code && { code }) }
    })
  const whole = rules.full ? [{ name: 'accepts a body with every field', body: rules.full }] : []
  return [
    { name: 'accepts the body that the rules start from', body: rules.base },
    ...whole,
    ...changed(rules.accepts, 'accepts'),
    ...changed(rules.refuses, 'refuses'),
  ]
}

export function applied(base: Json, change: Change): Json {
  const body = structuredClone(base)
  for (const name of change.without ?? []) remove(body, name.split('.'))
  for (const [name, value] of Object.entries(change.with ?? {})) {
    put(body, name.split('.'), structuredClone(value))
  }
  return body
}

function remove(body: Json, keys: string[]): void {
  const last = keys.pop()!
  delete (at(body, keys) as Json)[last]
}

function put(body: Json, keys: string[], value: unknown): void {
  const last = keys.pop()!
  ;(at(body, keys) as Json)[last] = value
}

const at = (body: unknown, keys: string[]): unknown =>
  keys.reduce((node, key) => (node as Json)[key], body)

interface Place {
  keys: string[]
  path: string
  value: unknown
}

/** Every value within a body, with its path in the notation of the facts. */
function placesIn(value: unknown, keys: string[] = [], path = '$'): Place[] {
  const places: Place[] = [{ keys, path, value }]
  if (typeof value !== 'object' || value === null) return places
  for (const [key, member] of Object.entries(value)) {
    const name = path === '$' ? key : `${path}.${key}`
    places.push(...placesIn(member, [...keys, key], Array.isArray(value) ? `${path}[]` : name))
  }
  return places
}

/** Cases that follow from the field lines: null, another type and an unknown member everywhere. */
export function derivedCases(rules: Rules, fields: Fields, closed: boolean): Case[] {
  const body = rules.full ?? rules.base
  const skipped = new Set(rules.not_derived)
  return placesIn(body).flatMap((place) => {
    const fact: FieldFact | undefined =
      place.path === '$' ? { extra: !closed } : fields.get(place.path)
    if (!fact || skipped.has(place.path)) return []
    const made = (name: string, value: unknown, code: string | undefined): Case => {
      const copy = structuredClone(body)
      if (place.keys.length === 0) return { name, body: value, ...(code && { code }) }
      put(copy, [...place.keys], value)
      return { name, body: copy, ...(code && { code }) }
    }
    const cases = place.path === '$' ? [] : [typeCase(place, fact, made)]
    if (place.path !== '$' && !fact.unsettled?.includes('nullable')) {
      cases.push(nullCase(place, fact, made))
    }
    return [...cases, ...memberCases(place, fact, made)]
  })
}

type Make = (name: string, value: unknown, code: string | undefined) => Case

function nullCase({ path }: Place, fact: FieldFact, make: Make): Case {
  if (fact.nullable) return make(`accepts null in ${path}`, null, undefined)
  const code = fact.required ? (fact.absent ?? 'MISSING_FIELDS') : 'INVALID_FIELD'
  return make(`refuses null in ${path}`, null, code)
}

function typeCase({ path }: Place, fact: FieldFact, make: Make): Case {
  const types = [fact.type ?? []].flat()
  const wrong = types.includes('boolean') ? 'true' : types.includes('integer') ? '1' : true
  return make(`refuses ${JSON.stringify(wrong)} in ${path}`, wrong, 'INVALID_FIELD')
}

function memberCases({ path, value }: Place, fact: FieldFact, make: Make): Case[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  const extended = { ...value, no_such_field: 1 }
  if (fact.extra) return [make(`accepts an unknown member of ${path}`, extended, undefined)]
  return [make(`refuses an unknown member of ${path}`, extended, 'UNKNOWN_FIELDS')]
}
