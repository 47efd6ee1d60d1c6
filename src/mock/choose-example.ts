import { pagination } from '#contract/client-table.ts'

/** Bodies of success by the names of their examples; the first is the usual one. */
export type Examples = Readonly<Record<string, object>>

/** The named examples of an operation, by status. */
export type ExamplesByStatus = Readonly<Record<string, Examples>>

type Fields = Readonly<Record<string, unknown>>

/**
 * The name of the example that answers a request: the next page where the request asks for it, so
 * that every list ends, and otherwise the example that agrees with most of the request's values.
 */
export function chooseExample(operationId: string, body: object, examples: Examples): string {
  const [usual = ''] = Object.keys(examples)
  const next = nextPage(operationId, body as Fields, examples as Readonly<Record<string, Fields>>)
  if (next !== undefined) return next
  const wanted = valuesByName(body)
  let best = { name: usual, agreed: 0 }
  for (const [name, example] of Object.entries(examples)) {
    const agreed = agreement(wanted, valuesByName(example))
    if (agreed > best.agreed) best = { name, agreed }
  }
  return best.name
}

interface Style {
  style: string
  request: string
  response?: string
  has_more?: string
  items: readonly string[]
}

function nextPage(
  operationId: string,
  body: Fields,
  examples: Readonly<Record<string, Fields>>,
): string | undefined {
  const styles: Readonly<Record<string, Style>> = pagination
  const style = styles[operationId]
  const given = style && body[style.request]
  if (!style || given === undefined || given === null) return undefined
  const { style: kind, response = '', has_more, items } = style
  const isEmpty = (page: Fields) => items.every((list) => itemsOf(page, list).length === 0)
  const find = (fits: (page: Fields) => boolean) =>
    Object.entries(examples).find(([, page]) => fits(page))?.[0]
  if (kind === 'after_id') {
    const isLater = (item: Fields) => Number(item[response]) > Number(given)
    const [first = {}] = Object.values(examples)
    const hasLater = items.some((list) => itemsOf(first, list).some(isLater))
    return hasLater ? undefined : find(isEmpty)
  }
  const hasMore = (page: Fields) => Boolean(page[has_more ?? response])
  const isAfter = (page: Fields) => page[response] === given
  if (find((page) => hasMore(page) && isAfter(page))) {
    return find((page) => !hasMore(page) && !isEmpty(page))
  }
  // Nothing is new after the last page, nor since now.
  const isNow = (page: Fields) => given === 'now' && page[response] !== ''
  return find((page) => !hasMore(page) && isEmpty(page) && (isAfter(page) || isNow(page)))
}

const itemsOf = (page: Fields, list: string): readonly Fields[] =>
  (page[list] as readonly Fields[] | undefined) ?? []

type Values = ReadonlyMap<string, readonly unknown[]>

/** Every text and number of a body by its field's name; a list of ids has the name of one. */
function valuesByName(body: unknown, name = '', found = new Map<string, unknown[]>()): Values {
  if (Array.isArray(body)) {
    for (const each of body) valuesByName(each, name.replace(/s$/, ''), found)
  } else if (typeof body === 'object' && body !== null) {
    for (const [field, value] of Object.entries(body)) valuesByName(value, field, found)
  } else if (typeof body === 'string' || typeof body === 'number') {
    const values = found.get(name)
    if (values) values.push(body)
    else found.set(name, [body])
  }
  return found
}

/** How much of a request an example agrees with: it holds what was asked for, and best no other. */
function agreement(wanted: Values, held: Values): number {
  let agreed = 0
  for (const [name, values] of wanted) {
    const there = held.get(name)
    if (!there || !values.every((value) => there.includes(value))) continue
    agreed += there.every((value) => values.includes(value)) ? 2 : 1
  }
  return agreed + (hasDatesWithin(wanted, held) ? 1 : 0)
}

/** Whether what an example lists is of the days that a request asks for. */
function hasDatesWithin(wanted: Values, held: Values): boolean {
  const [start] = wanted.get('start_date') ?? []
  const [end] = wanted.get('end_date') ?? []
  const dates = (held.get('date') ?? []).map(String)
  return dates.length > 0 && dates.every((date) => date >= String(start) && date <= String(end))
}
