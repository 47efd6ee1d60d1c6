import { type Comparison, note, type Pair, placeOf } from './comparison.ts'
import type { KindName } from './kinds.ts'
import { isLowerBound } from './node.ts'
import { codes, everyType, typeWords } from './words.ts'

/** Compares what a schema says about a value itself besides its type: values, bounds, texts. */
export function compareFacets(comparison: Comparison, pair: Pair): void {
  compareValues(comparison, pair)
  compareBounds(comparison, pair)
  compareTexts(comparison, pair, 'pattern', pair.before.patterns, pair.after.patterns)
  compareTexts(comparison, pair, 'format', pair.before.formats, pair.after.formats)
  compareClosing(comparison, pair)
  compareOthers(comparison, pair)
}

/** Compares the types, and tells whether it is another value altogether. */
export function compareTypes(comparison: Comparison, pair: Pair): boolean {
  const { field, before, after } = pair
  const [theirs, ours] = [before, after].map(({ types }) => types ?? new Set(everyType)) as [
    Set<string>,
    Set<string>,
  ]
  const without = (all: Set<string>, others: Set<string>) =>
    [...all].filter((type) => !others.has(type) && !(type === 'integer' && others.has('number')))
  const [gone, added] = [without(theirs, ours), without(ours, theirs)]
  if (gone.length + added.length === 0) return false
  const at = placeOf(pair, after.places.has('type') ? 'type' : 'anyOf')
  const tell = (kind: KindName, words: string) => note(comparison, kind, field, words, at)
  if (gone.length === 0 && `${added}` === 'null') tell('null allowed', 'may now be null')
  else if (added.length === 0 && `${gone}` === 'null') tell('null refused', 'may no longer be null')
  else if (gone.length === 0) tell('type widened', `may now ${widened(theirs, added)}`)
  else if (added.length === 0) tell('type narrowed', `may no longer ${narrowed(ours, gone)}`)
  else tell('type changed', `is now ${typeWords([...ours])}, was ${typeWords([...theirs])}`)
  return gone.length > 0 && added.length > 0
}

/** Between integers and numbers, only the decimals differ. */
const areDecimals = (kept: Set<string>, types: string[]): boolean =>
  `${types}` === 'number' && kept.has('integer')

const widened = (kept: Set<string>, added: string[]): string =>
  areDecimals(kept, added) ? 'have decimals' : `also be ${typeWords(added)}`

const narrowed = (kept: Set<string>, gone: string[]): string =>
  areDecimals(kept, gone) ? 'have decimals' : `be ${typeWords(gone)}`

function compareValues(comparison: Comparison, pair: Pair): void {
  const { field, before, after } = pair
  const [theirs, ours] = [before.values, after.values]
  if (!theirs && !ours) return
  const at = placeOf(pair, 'enum')
  const code = (values: string[]) =>
    codes(
      values.map((value) => value.replaceAll('"', '')),
      'or',
    )
  if (!ours) note(comparison, 'value added', field, 'may now be any value', at)
  else if (!theirs)
    note(comparison, 'value removed', field, `may only be ${code([...ours])} now`, at)
  else {
    const gone = [...theirs].filter((value) => !ours.has(value))
    const added = [...ours].filter((value) => !theirs.has(value))
    const tell = (kind: KindName, words: string) => note(comparison, kind, field, words, at)
    if (gone.length > 0) tell('value removed', `may no longer be ${code(gone)}`)
    if (added.length > 0) tell('value added', `may now be ${code(added)}`)
  }
}

const boundNames: Record<string, string> = {
  exclusiveMinimum: 'lower bound',
  exclusiveMaximum: 'upper bound',
  minLength: 'minimum length',
  maxLength: 'maximum length',
  minItems: 'minimum number of items',
  maxItems: 'maximum number of items',
  minProperties: 'minimum number of fields',
  maxProperties: 'maximum number of fields',
}

function compareBounds(comparison: Comparison, pair: Pair): void {
  const { field, before, after } = pair
  for (const keyword of new Set([...before.bounds.keys(), ...after.bounds.keys()])) {
    const [old, now] = [before.bounds.get(keyword), after.bounds.get(keyword)]
    if (old === now || isVacuous(keyword, old, now)) continue
    const none = isLowerBound(keyword) ? -Infinity : Infinity
    const isTighter = isLowerBound(keyword) === (now ?? none) > (old ?? none)
    const what = keyword in boundNames && /^(min|max)/.test(keyword) ? 'length or count' : 'limit'
    const name = boundNames[keyword] ?? keyword
    const words =
      now === undefined
        ? `has no ${name} any more, had ${old}`
        : `has the ${name} ${now} now, had ${old ?? 'none'}`
    const kind: KindName = `${what} ${isTighter ? 'tightened' : 'loosened'}`
    note(comparison, kind, field, words, placeOf(pair, keyword))
  }
}

/** No length is below 0, so a minimum of 0 says nothing. */
const isVacuous = (keyword: string, ...values: (number | undefined)[]): boolean =>
  /^min[LIP]/.test(keyword) && values.every((value) => (value ?? 0) === 0)

function compareTexts(
  comparison: Comparison,
  pair: Pair,
  keyword: 'pattern' | 'format',
  theirs: Set<string>,
  ours: Set<string>,
): void {
  const gone = [...theirs].filter((one) => !ours.has(one))
  const added = [...ours].filter((one) => !theirs.has(one))
  if (gone.length + added.length === 0) return
  const [was, is] = [gone, added].map((all) => (keyword === 'format' ? codes(all) : '')) as [
    string,
    string,
  ]
  const newWords = keyword === 'format' ? `has the format ${is} now` : 'has a pattern now'
  const tell = (kind: KindName, words: string) =>
    note(comparison, kind, pair.field, words, placeOf(pair, keyword))
  if (gone.length === 0 || isRoomier(added, gone)) tell('limit tightened', newWords)
  else if (added.length === 0) tell('limit loosened', `has no ${keyword} any more`)
  else if (isRoomier(gone, added)) tell('limit loosened', newWords)
  else {
    const words = keyword === 'format' ? `${newWords}, had ${was}` : 'has another pattern now'
    tell('pattern or format changed', words)
  }
}

/** Whether numbers of the first format all fit into the second. */
const isRoomier = (narrow: string[], wide: string[]): boolean =>
  `${narrow}` === 'int32' && `${wide}` === 'int64'

function compareClosing(comparison: Comparison, pair: Pair): void {
  const { field, before, after, isRule } = pair
  if (before.closed === after.closed || isRule) return
  const at = placeOf(pair, 'additionalProperties')
  if (after.closed)
    note(comparison, 'unknown fields refused', field, 'takes no unknown fields any more', at)
  else note(comparison, 'unknown fields accepted', field, 'takes unknown fields now', at)
}

const json = (value: unknown): string =>
  value === undefined ? 'none' : `\`${JSON.stringify(value).replaceAll('"', '')}\``

/** The keywords that are neither kept nor broken by a value, or that are our own. */
function compareOthers(comparison: Comparison, pair: Pair): void {
  const { field, before, after } = pair
  for (const keyword of new Set([...before.others.keys(), ...after.others.keys()])) {
    const [old, now] = [before.others.get(keyword), after.others.get(keyword)]
    if (JSON.stringify(old) === JSON.stringify(now)) continue
    const tell = (kind: KindName, words: string) =>
      note(comparison, kind, field, words, placeOf(pair, keyword))
    if (keyword === 'deprecated') {
      if (now) tell('deprecated', 'is deprecated')
    } else if (keyword === 'default') {
      const kind = old === undefined ? 'default added' : 'default changed'
      tell(kind, `has the default ${json(now)}, had ${json(old)}`)
    } else if (keyword === 'uniqueItems') {
      if (now) tell('limit tightened', 'may no longer hold the same item twice')
      else tell('limit loosened', 'may now hold the same item twice')
    } else if (keyword === 'x-open') {
      if (now) tell('unknown fields accepted', 'takes unknown fields now, and null as absent')
      else tell('unknown fields refused', 'takes no unknown fields any more, nor null as absent')
    } else if (keyword === 'x-error-code') {
      tell('refusal code changed', `is refused with ${json(now)}, was with ${json(old)}`)
    } else if (!keyword.startsWith('x-')) {
      tell('keyword changed', `has the \`${keyword}\` ${json(now)}, had ${json(old)}`)
    }
  }
}
