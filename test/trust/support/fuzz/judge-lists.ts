import type { Body, Subject } from './subjects.ts'

/** An object at some place of an answer, and the name that it or its list stands under. */
export interface Part {
  name: string
  fields: Body
}

export function partsIn(value: unknown, name = ''): Part[] {
  if (Array.isArray(value)) return value.flatMap((member) => partsIn(member, name))
  if (typeof value !== 'object' || value === null) return []
  const { request_id: _, ...fields } = value as Body
  const inner = Object.entries(fields).flatMap(([key, member]) => partsIn(member, key))
  return [{ name, fields }, ...inner]
}

/** What says who asks, or where a list goes on, and chooses nothing in it. */
export const choosesNothing = /token|^cursor$|^client_id$|^secret$/

export interface Filter {
  /** What the field of an answer is called. */
  name: string
  values: readonly string[]
}

/** Everything in a request that what is answered is chosen by. */
function filtersOf(request: Body): Filter[] {
  const { options } = request
  // What stands beside the options comes before what stands in them.
  const all = { ...(typeof options === 'object' ? options : {}), ...request }
  return Object.entries(all).flatMap(([key, value]) => {
    const isPlain = (one: unknown) => typeof one === 'string' || typeof one === 'boolean'
    const values = [value].flat().filter(isPlain).map(String)
    return values.length === 0 || choosesNothing.test(key) ? [] : [{ name: toOne(key), values }]
  })
}

export const toOne = (name: string): string => name.replace(/_ids$/, '_id')

/** What a part says under a name: as its own field, as that of an object in it, or by its own id. */
export function valuesOf({ name, fields }: Part, wanted: string): unknown[] {
  const held = Object.entries(fields).flatMap(([key, value]) => {
    if (key === wanted) return [value]
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    if (!isObject) return []
    return `${key}_id` === wanted ? [(value as Body)['id']] : []
  })
  return `${name}_id` === wanted && 'id' in fields ? [fields['id'], ...held] : held
}

export const fits = (value: unknown, values: readonly string[]): boolean =>
  Array.isArray(value)
    ? values.some((one) => value.includes(one))
    : value === null || value === undefined || values.includes(String(value))

/** What an answer holds although its request chose something else. */
export function judgeFilters(subject: Subject, request: Body, answer: Body): string[] {
  const parts = partsIn(answer)
  const misfits = filtersOf(request).flatMap(({ name, values }) =>
    parts
      .filter((part) => valuesOf(part, name).some((value) => !fits(value, values)))
      .map(
        (part) =>
          `filters: ${subject.id} was asked for a \`${name}\`, and \`${part.name}\` has another`,
      ),
  )
  return [...misfits, ...judgeDays(request, parts)].slice(0, 1)
}

const dayMs = 86_400_000

/** Days from the first to the last, or so many of them up to the day of making. */
function windowOf(request: Body, parts: readonly Part[]): [string, string] | undefined {
  const { start_date, end_date } = request
  if (typeof start_date === 'string' && typeof end_date === 'string') return [start_date, end_date]
  const made = parts.find(({ fields }) => 'days_requested' in fields && 'date_generated' in fields)
  if (!made) return undefined
  const { days_requested, date_generated } = made.fields
  const last = String(date_generated).slice(0, 10)
  const first = new Date(Date.parse(last) + (1 - Number(days_requested)) * dayMs)
  return [first.toISOString().slice(0, 10), last]
}

/** No day of a list lies outside the days that it is to hold. */
function judgeDays(request: Body, parts: readonly Part[]): string[] {
  const window = windowOf(request, parts)
  if (!window) return []
  const [first, last] = window
  return parts.flatMap(({ name, fields: { date } }) =>
    typeof date !== 'string' || (first <= date && date <= last)
      ? []
      : [`days: \`${name}\` holds ${date}, which is not from ${first} to ${last}`],
  )
}
