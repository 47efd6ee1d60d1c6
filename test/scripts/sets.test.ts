import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import * as sets from '../sets.ts'

/** Each file that a pattern names, as a pattern of its own. */
function namesIn(pattern: string): string[] {
  const [list = '', names = ''] = /\{(.*)\}/.exec(pattern) ?? []
  return list === '' ? [pattern] : names.split(',').map((name) => pattern.replace(list, name))
}

test.each(['onlyInAll', 'onlyPostgres', 'withoutEngine', 'onBothEngines'] as const)(
  'every file that %s names is there',
  (set) => {
    const names = sets[set].flatMap(namesIn)
    expect(names.filter((name) => globSync(name, { cwd: root }).length === 0)).toEqual([])
  },
)

test('no file that needs no engine is to run on both', () => {
  const find = (patterns: readonly string[]) => globSync([...patterns], { cwd: root })
  const without = new Set(find(sets.withoutEngine))
  expect(find(sets.onBothEngines).filter((file) => without.has(file))).toEqual([])
})
