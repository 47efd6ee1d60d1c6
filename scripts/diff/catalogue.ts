import type { Contract, Example } from '../contract/contract.ts'
import type { Contracts, Told } from './finding.ts'
import { escapeKey } from './node.ts'

/** Compares what the error catalogue says of the errors that are there before and after. */
export function compareCatalogue({ before, after }: Contracts): Told[] {
  const theirs = errorsOf(before)
  return [...errorsOf(after)].flatMap(([key, now]) => {
    const old = theirs.get(key)
    if (!old) return []
    const at = `/components/examples/${escapeKey(key)}`
    const place = { name: key, side: '', field: '' }
    const [was, is] = [typeOf(old), typeOf(now)]
    const words = `has the error_type \`${is}\` now, had \`${was}\``
    const retry = `can be tried again: ${now['x-retry']} now, ${old['x-retry']} before`
    return [
      ...(was === is ? [] : [{ kind: 'error type changed', place, words, at } as const]),
      ...(old['x-retry'] === now['x-retry']
        ? []
        : [{ kind: 'error advice changed', place, words: retry, at } as const]),
    ]
  })
}

const errorsOf = ({ components }: Contract): Map<string, Example> =>
  new Map(Object.entries(components.examples).filter(([, example]) => 'x-status' in example))

const typeOf = ({ value }: Example): unknown => (value as { error_type?: string }).error_type
