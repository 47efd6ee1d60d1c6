import { isDeepStrictEqual } from 'node:util'
import { type Picture, type Shown, thingsIn } from './picture.ts'
import type { Body } from './subjects.ts'

/** A call that was done, and what could be seen before and after it. */
export interface Change {
  path: string
  request: Body
  answer: Body
  /** Which texts are ids or tokens that the run knows. */
  isName(text: string): boolean
  before: Picture
  after: Picture
}

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}

const keyOf = ({ kind, id, by, item }: Shown): string => [kind, id, by, item].join(' ')

const byKey = (picture: Picture): Map<string, Shown> =>
  new Map(picture.map((shown) => [keyOf(shown), shown]))

/** What a call may change: what it names, what that is part of, and what is part of that. */
function reachOf({ request, answer, isName, before }: Change): (shown: Shown) => boolean {
  const names = new Set([...textsIn(request), ...textsIn(answer)].filter(isName))
  const token = request['access_token']
  const narrower = [...names].filter((name) => name !== token)
  const named = before.filter(({ id }) => names.has(id))
  const around = new Set(named.flatMap(({ fields }) => textsIn(fields)).filter(isName))
  return ({ kind, id, item, fields }) => {
    if (names.has(id) || around.has(id)) return true
    if (item !== undefined && item === token) {
      if (kind === 'item' || narrower.length === 0) return true
    }
    return textsIn(fields).some((text) => names.has(text))
  }
}

/** What has changed that the call does not name. */
export function strayChanges(change: Change): string[] {
  const isWithin = reachOf(change)
  const [before, after] = [byKey(change.before), byKey(change.after)]
  const all = new Map([...before, ...after])
  const token = change.request['access_token']
  // Reads of an Item may begin or cease to fail, by what is done to it.
  const isReadTwice = ({ by, item }: Shown) =>
    [change.before, change.after].every((picture) =>
      picture.some((one) => one.by === by && one.item === item),
    )
  return [...all].flatMap(([key, shown]) => {
    const [old, now] = [before.get(key), after.get(key)]
    if (token !== undefined && shown.item === token && (!old || !now) && !isReadTwice(shown))
      return []
    if (isDeepStrictEqual(old?.fields, now?.fields)) return []
    if ((old && isWithin(old)) || (now && isWithin(now))) return []
    const what = old ? (now ? fieldsThatDiffer(old.fields, now.fields).join(', ') : 'gone') : 'new'
    return [`${shown.kind} of ${shown.by}: ${what}`]
  })
}

const fieldsThatDiffer = (one: Body, other: Body): string[] =>
  Object.keys({ ...one, ...other }).filter((name) => !isDeepStrictEqual(one[name], other[name]))

/** Answers that show one thing, and not the same of it. */
export function disagreements(picture: Picture): string[] {
  const first = new Map<string, Shown>()
  return picture.flatMap((shown) => {
    const key = `${shown.kind} ${shown.id}`
    const other = first.get(key)
    first.set(key, other ?? shown)
    if (!other) return []
    return fieldsThatDiffer(shown.fields, other.fields)
      .filter((name) => name in shown.fields && name in other.fields)
      .map((name) => `${shown.kind}: \`${name}\` of ${other.by} and ${shown.by}`)
  })
}

interface Leaf {
  path: string[]
  value: unknown
}

/** Every single value of a body with the names that lead to it; lists are left out. */
export function leavesOf(value: unknown, path: string[] = []): Leaf[] {
  if (Array.isArray(value)) return []
  if (typeof value !== 'object' || value === null) return [{ path, value }]
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member, [...path, name]))
}

const endsWith = (path: string[], end: string[]): boolean =>
  end.every((name, index) => path[path.length - end.length + index] === name)

/**
 * A request may say it one level higher than the thing does; or one lower, where that level is not
 * one of the thing's own.
 */
const isSaidBy = (path: string[], said: string[], fields: Body): boolean =>
  endsWith(path, said) ||
  (said.length > 1 && !((said[0] ?? '') in fields) && said.slice(1).join('.') === path.join('.'))

/** Amounts are kept in hundredths. */
const isSame = (one: unknown, other: unknown): boolean =>
  typeof one === 'number' && typeof other === 'number'
    ? Math.abs(one - other) <= 0.00501
    : one === other

/** Only what came back has a code; a failure has none, whatever was said. */
const isKeptBack = ({ path, value }: Leaf): boolean =>
  path[0] === 'failure_reason' && path.at(-1) !== 'description' && value === null

/** What was said of a thing, and the thing does not say. */
export function unlikeSaid(said: Body, { kind, id, by, fields }: Shown): string[] {
  // By its own id a thing was named, which it may have lost by what was done to it.
  const shown = leavesOf(fields).filter(({ value }) => value !== id)
  return leavesOf(said).flatMap(({ path, value }) => {
    const [place] = shown
      .filter((leaf) => isSaidBy(leaf.path, path, fields))
      .sort((one, other) => one.path.length - other.path.length)
    return place === undefined || value === null || isKeptBack(place) || isSame(place.value, value)
      ? []
      : [`${kind} of ${by}: \`${place.path.join('.')}\``]
  })
}

interface Said {
  said: Body
  things: Shown[]
}

/** Whether what is answered may have been made by an earlier request, and stays as that one said. */
export const isAnsweredByOlder = (request: Body): boolean => request['is_idempotent'] === true

/**
 * What a request says of which things: of what it makes, or else of what it names beside an Item; and
 * of what is new and belongs to that.
 */
export function sayings({ path, request, answer, isName, before, after }: Change): Said[] {
  if (isAnsweredByOlder(request)) return []
  const listed = pairs(request, answer)
  if (listed.length > 0) {
    return listed.map(({ said, id }) => ({ said, things: current(after, new Set([id])) }))
  }
  const asked = new Set(textsIn(request))
  const made = thingsIn(answer, path, '').filter(({ id }) => !asked.has(id))
  const { access_token: _, ...said } = request
  const ids = new Set(made.length > 0 ? made.map(({ id }) => id) : textsIn(said).filter(isName))
  const old = byKey(before)
  const events = after.filter(
    (one) => !old.has(keyOf(one)) && textsIn(one.fields).some((text) => ids.has(text)),
  )
  return [{ said, things: [...new Set([...current(after, ids), ...notReports(events)])] }]
}

/** Reports tell how things were. */
const notReports = (things: Picture): Shown[] => things.filter(({ kind }) => !kind.includes(' '))

const current = (after: Picture, ids: ReadonlySet<string>): Shown[] =>
  notReports(after).filter(({ id }) => ids.has(id))

/** A list of descriptions that is answered with a list of as many ids. */
function pairs(request: Body, answer: Body): { said: Body; id: string }[] {
  const described = Object.values(request).find(
    (value): value is Body[] => Array.isArray(value) && typeof value[0] === 'object',
  )
  const ids = Object.values(answer).find(
    (value): value is string[] => Array.isArray(value) && typeof value[0] === 'string',
  )
  if (!described || described.length !== ids?.length) return []
  return described.map((said, index) => ({ said, id: ids[index] as string }))
}

/** What a field is called that says another one. */
const saidBy: Readonly<Record<string, string>> = { date: 'date_posted', name: 'description' }

/** What a call has left out of what it named, and that is another now. */
export function leftOutAndChanged(change: Change): string[] {
  const old = byKey(change.before)
  return sayings(change).flatMap(({ said, things }) => {
    const named = leavesOf(said).map(({ path }) => path)
    const isSaid = (path: string[], fields: Body) =>
      named.some((name) => isSaidBy(path, name, fields)) || (saidBy[path[0] ?? ''] ?? '') in said
    return things.flatMap((now) => {
      const before = new Map(
        leavesOf(old.get(keyOf(now))?.fields ?? {}).map(({ path, value }) => [
          path.join('.'),
          value,
        ]),
      )
      return leavesOf(now.fields)
        .filter(({ path }) => before.has(path.join('.')) && !isSaid(path, now.fields))
        .filter(({ path, value }) => before.get(path.join('.')) !== value)
        .map(({ path }) => `${now.kind} of ${now.by}: \`${path.join('.')}\``)
    })
  })
}
