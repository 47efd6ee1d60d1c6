import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import { onBothEngines, onlyInAll, onlyPostgres, withoutEngine } from '../sets.ts'

/** Each file that a pattern names, as a pattern of its own. */
function namesIn(pattern: string): string[] {
  const [list = '', names = ''] = /\{(.*)\}/.exec(pattern) ?? []
  return list === '' ? [pattern] : names.split(',').map((name) => pattern.replace(list, name))
}

const find = (pattern: string): string[] => globSync(pattern, { cwd: root })

test.each(Object.entries({ onlyInAll, onlyPostgres, withoutEngine, onBothEngines }))(
  'every file that %s names is there',
  (_, patterns) => {
    const names = patterns.flatMap(namesIn)
    expect(names.filter((name) => find(name).length === 0)).toEqual([])
  },
)

test('no file that needs no engine is to run on both', () => {
  const without = new Set(withoutEngine.flatMap(find))
  expect(onBothEngines.flatMap(find).filter((file) => without.has(file))).toEqual([])
})
