import type { Contract, Example } from '../contract/contract.ts'
import { split } from '../contract/split.ts'
import { type Contracts, type RawFinding, wholeFinding } from './finding.ts'
import { escapeKey } from './node.ts'

/** Compares what the error catalogue says of the errors that are there before and after. */
export function compareCatalogue({ before, after }: Contracts): RawFinding[] {
  const [theirs, ours] = [errorsOf(before), errorsOf(after)]
  return split(theirs.keys(), ours.keys()).kept.flatMap((key) => {
    const [old, now] = [theirs.get(key)!, ours.get(key)!]
    const at = `/components/examples/${escapeKey(key)}`
    const [was, is] = [typeOf(old), typeOf(now)]
    const words = `has the error_type \`${is}\` now, had \`${was}\``
    const retry = `can be tried again: ${now['x-retry']} now, ${old['x-retry']} before`
    return [
      ...(was === is ? [] : [wholeFinding('error type changed', key, words, at)]),
      ...(old['x-retry'] === now['x-retry']
        ? []
        : [wholeFinding('error advice changed', key, retry, at)]),
    ]
  })
}

const errorsOf = ({ components }: Contract): Map<string, Example> =>
  new Map(Object.entries(components.examples).filter(([, example]) => 'x-status' in example))

const typeOf = ({ value }: Example): unknown => (value as { error_type?: string }).error_type
