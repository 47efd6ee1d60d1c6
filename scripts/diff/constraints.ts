import { split } from '../contract/split.ts'
import { codes } from '../contract/words.ts'
import { type Comparison, type Pair, placeOf, telling } from './comparison.ts'
import { isLowerBound } from './node.ts'
import type { KindName } from './verdicts.ts'
import { hasMoreWords } from './word-patterns.ts'
import { everyType, typeWords } from './words.ts'

/** A finding, or what there is instead of one. */
type Finding = [kind: KindName, words: string] | false | undefined

/** Compares what a schema says about a value itself besides its type: values, bounds, texts. */
export function compareFacets(comparison: Comparison, pair: Pair): void {
  const tell = telling(comparison, pair.field)
  const { before, after, isRule } = pair
  const note = (keyword: string, ...findings: Finding[]) => {
    for (const finding of findings) if (finding) tell(...finding, placeOf(pair, keyword))
  }
  note('enum', ...compareValues(before.values, after.values))
  for (const keyword of new Set([...before.bounds.keys(), ...after.bounds.keys()])) {
    note(keyword, compareBound(keyword, before.bounds.get(keyword), after.bounds.get(keyword)))
  }
  note('pattern', compareTexts('pattern', before.patterns, after.patterns))
  note('format', compareTexts('format', before.formats, after.formats))
  if (before.closed !== after.closed && !isRule) note('additionalProperties', closing(after.closed))
  for (const keyword of new Set([...before.others.keys(), ...after.others.keys()])) {
    const [old, now] = [before.others.get(keyword), after.others.get(keyword)]
    if (JSON.stringify(old) !== JSON.stringify(now)) note(keyword, compareOther(keyword, old, now))
  }
}

/** Compares the types, and tells whether it is another value altogether. */
export function compareTypes(comparison: Comparison, pair: Pair): boolean {
  const { field, before, after } = pair
  const [theirs, ours] = [[...(before.types ?? everyType)], [...(after.types ?? everyType)]]
  const without = (all: string[], others: string[]) =>
    split(others, all).added.filter((type) => type !== 'integer' || !others.includes('number'))
  const [gone, added] = [without(theirs, ours), without(ours, theirs)]
  if (gone.length + added.length === 0) return false
  const tell = telling(comparison, field)
  const at = placeOf(pair, after.places.has('type') ? 'type' : 'anyOf')
  // Between integers and numbers, only the decimals differ.
  const words = (kept: string[], types: string[], verb: string) =>
    `${types}` === 'number' && kept.includes('integer')
      ? 'have decimals'
      : `${verb} ${typeWords(types)}`
  if (gone.length === 0 && `${added}` === 'null') tell('null allowed', 'may now be null', at)
  else if (added.length === 0 && `${gone}` === 'null') {
    tell('null rejected', 'may no longer be null', at)
  } else if (gone.length === 0) {
    tell('type widened', `may now ${words(theirs, added, 'also be')}`, at)
  } else if (added.length === 0) {
    tell('type narrowed', `may no longer ${words(ours, gone, 'be')}`, at)
  } else tell('type changed', `is now ${typeWords(ours)}, was ${typeWords(theirs)}`, at)
  return gone.length > 0 && added.length > 0
}

type Values = Set<string> | undefined

function compareValues(theirs: Values, ours: Values): Finding[] {
  const code = (values: Iterable<string>) =>
    codes(
      [...values].map((value) => value.replaceAll('"', '')),
      'or',
    )
  if (!ours) return [theirs && ['value added', 'may now be any value']]
  if (!theirs) return [['value removed', `may only be ${code(ours)} now`]]
  const { gone, added } = split(theirs, ours)
  return [
    gone.length > 0 && ['value removed', `may no longer be ${code(gone)}`],
    added.length > 0 && ['value added', `may now be ${code(added)}`],
  ]
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

type Bound = number | undefined

function compareBound(keyword: string, old: Bound, now: Bound): Finding {
  // No length is below 0, so a minimum of 0 says nothing.
  const isVacuous = /^min[LIP]/.test(keyword) && (old ?? 0) === 0 && (now ?? 0) === 0
  if (old === now || isVacuous) return undefined
  const isLower = isLowerBound(keyword)
  const none = isLower ? -Infinity : Infinity
  const isTighter = isLower === (now ?? none) > (old ?? none)
  const what = /^(min|max)[LIP]/.test(keyword) ? 'length or count' : 'limit'
  const name = boundNames[keyword] ?? keyword
  const words =
    now === undefined
      ? `has no ${name} any more, had ${old}`
      : `has the ${name} ${now} now, had ${old ?? 'none'}`
  return [`${what} ${isTighter ? 'tightened' : 'loosened'}`, words]
}

/** Whether numbers of the first format all fit into the second. */
const isRoomier = (narrow: string[], wide: string[]): boolean =>
  `${narrow}` === 'int32' && `${wide}` === 'int64'

function compareTexts(
  keyword: 'pattern' | 'format',
  theirs: Set<string>,
  ours: Set<string>,
): Finding {
  const { gone, added } = split(theirs, ours)
  if (gone.length + added.length === 0) return undefined
  const isFormat = keyword === 'format'
  const newWords = isFormat ? `has the format ${codes(added)} now` : 'has a pattern now'
  if (gone.length === 0 || isRoomier(added, gone)) return ['limit tightened', newWords]
  if (added.length === 0) return ['limit loosened', `has no ${keyword} any more`]
  if (isRoomier(gone, added)) return ['limit loosened', newWords]
  const [[old = ''], [now = '']] = [gone, added]
  const isOfWords = !isFormat && gone.length === 1 && added.length === 1
  if (isOfWords && hasMoreWords(old, now)) return ['limit loosened', 'accepts more words now']
  if (isOfWords && hasMoreWords(now, old)) return ['limit tightened', 'accepts fewer words now']
  const words = isFormat ? `${newWords}, had ${codes(gone)}` : 'has another pattern now'
  return ['pattern or format changed', words]
}

const closing = (isClosed: boolean, more = ['', '']): Finding =>
  isClosed
    ? ['unknown fields rejected', `takes no unknown fields any more${more[0]}`]
    : ['unknown fields accepted', `takes unknown fields now${more[1]}`]

const json = (value: unknown): string =>
  value === undefined ? 'none' : `\`${JSON.stringify(value).replaceAll('"', '')}\``

/** The keywords that are neither kept nor broken by a value, or that are our own. */
function compareOther(keyword: string, old: unknown, now: unknown): Finding {
  if (keyword === 'deprecated') return Boolean(now) && ['deprecated', 'is deprecated']
  if (keyword === 'default') {
    const kind = old === undefined ? 'default added' : 'default changed'
    return [kind, `has the default ${json(now)}, had ${json(old)}`]
  }
  if (keyword === 'uniqueItems') {
    return now
      ? ['limit tightened', 'may no longer hold the same item twice']
      : ['limit loosened', 'may now hold the same item twice']
  }
  if (keyword === 'x-open') return closing(!now, [', nor null as absent', ', and null as absent'])
  if (keyword === 'x-error-code') {
    return ['rejection code changed', `is rejected with ${json(now)}, was with ${json(old)}`]
  }
  const words = `has the \`${keyword}\` ${json(now)}, had ${json(old)}`
  return !keyword.startsWith('x-') && ['keyword changed', words]
}
