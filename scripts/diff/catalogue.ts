import type { Contract, Example } from '../contract/contract.ts'
import { codeOf } from '../contract/error-keys.ts'
import { split } from '../contract/split.ts'
import { type Change, type Contracts, wholeChange } from './finding.ts'
import { canonical } from './meaning.ts'
import { escapeKey } from './node.ts'
import type { KindName } from './verdicts.ts'

/** Compares what the error catalogue says of the errors that are there before and after. */
export function compareCatalogue({ before, after }: Contracts): Change[] {
  const [theirs, ours] = [errorsOf(before), errorsOf(after)]
  return pairs(theirs, ours).flatMap(([oldKey, key]) => {
    const [old, now] = [theirs.get(oldKey)!, ours.get(key)!]
    const tell = (kind: KindName, was: unknown, is: unknown, words: string) => {
      const at = `/components/examples/${escapeKey(key)}`
      return was === is ? [] : [wholeChange(kind, key, words, at)]
    }
    const [wasType, type] = [typeOf(old), typeOf(now)]
    const [wasCode, code] = [codeOf(old), codeOf(now)]
    const [wasStatus, status] = [old['x-status'], now['x-status']]
    const [wasRetry, retry] = [old['x-retry'], now['x-retry']]
    return [
      ...tell(
        'error code changed',
        wasCode,
        code,
        `has the code \`${code}\` now, had \`${wasCode}\``,
      ),
      ...tell(
        'error type changed',
        wasType,
        type,
        `has the error_type \`${type}\` now, had \`${wasType}\``,
      ),
      ...tell(
        'error status changed',
        wasStatus,
        status,
        `has the status ${status} now, had ${wasStatus}`,
      ),
      ...tell(
        'error advice changed',
        wasRetry,
        retry,
        `can be tried again: ${retry} now, ${wasRetry} before`,
      ),
    ]
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
