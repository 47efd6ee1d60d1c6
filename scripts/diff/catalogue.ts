import type { Contract, Example } from '../contract/contract.ts'
import { codeOf } from '../contract/error-keys.ts'
import { split } from '../contract/split.ts'
import { code } from '../contract/words.ts'
import { type Change, type Contracts, wholeChange } from './finding.ts'
import { canonical } from './meaning.ts'
import { escapeKey } from './node.ts'
import type { KindName } from './verdicts.ts'

/** Compares what the error catalogue says of the errors that are there before and after. */
export function compareCatalogue({ before, after }: Contracts): Change[] {
  const [theirs, ours] = [errorsOf(before), errorsOf(after)]
  return pairs(theirs, ours).flatMap(([oldKey, key]) => {
    const [old, now] = [theirs.get(oldKey)!, ours.get(key)!]
    return aspects.flatMap(([kind, read, wordsOf]) => {
      const [was, is] = [read(old), read(now)]
      const at = `/components/examples/${escapeKey(key)}`
      return was === is ? [] : [wholeChange(kind, key, wordsOf(is, was), at)]
    })
  })
}

type Errors = Map<string, Example>

/** The keys of one error before and after: the same ones, or those of an error that is the same but for its code. */
function pairs(theirs: Errors, ours: Errors): [before: string, after: string][] {
  const { gone, added, kept } = split(theirs.keys(), ours.keys())
  const formOf = (errors: Errors, key: string) => {
    const { summary, 'x-status': status, ...error } = errors.get(key)!
    return canonical([summary, status, typeOf(error)])
  }
  const renamed = gone.flatMap((key): [string, string][] => {
    const same = added.filter((other) => formOf(ours, other) === formOf(theirs, key))
    return same.length === 1 ? [[key, same[0]!]] : []
  })
  return [...kept.map((key): [string, string] => [key, key]), ...renamed]
}

const errorsOf = ({ components }: Contract): Errors =>
  new Map(Object.entries(components.examples).filter(([, example]) => 'x-status' in example))

const typeOf = ({ value }: Example): unknown => (value as { error_type?: string }).error_type

type Words = (is: unknown, was: unknown) => string

const aspects: [kind: KindName, read: (error: Example) => unknown, words: Words][] = [
  ['error code changed', codeOf, (is, was) => `has the code ${code(is)} now, had ${code(was)}`],
  [
    'error type changed',
    typeOf,
    (is, was) => `has the error_type ${code(is)} now, had ${code(was)}`,
  ],
  [
    'error status changed',
    (error) => error['x-status'],
    (is, was) => `has the status ${is} now, had ${was}`,
  ],
  [
    'error advice changed',
    (error) => error['x-retry'],
    (is, was) => `can be tried again: ${is} now, ${was} before`,
  ],
]
