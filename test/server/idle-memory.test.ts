import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import { watchIdleness } from '../../src/server/boot/idle-memory.ts'

/** At which of the checks at these shares of a busy event loop garbage is collected. */
function collectionsAt(utilizations: readonly number[], heap = 2e8): number[] {
  const found: number[] = []
  let place = -1
  const check = watchIdleness({
    utilization: () => utilizations[place] as number,
    heap: () => heap,
    collect: () => found.push(place),
  })
  for (place = 0; place < utilizations.length; place += 1) check()
  return found
}

const idle = (checks: number): number[] => Array(checks).fill(0.01)

test('collects garbage after 30 idle checks, once in an idle period', () => {
  expect(collectionsAt([0.9, ...idle(100)])).toEqual([30])
})

test('collects garbage again in the next idle period', () => {
  expect(collectionsAt([...idle(50), 0.9, ...idle(50)])).toEqual([29, 80])
})

test('leaves the heap as it is during short pauses between loads', () => {
  expect(collectionsAt([...idle(29), 0.9, ...idle(29), 0.9])).toEqual([])
})

test('leaves a heap that has not grown as it is', () => {
  expect(collectionsAt(idle(100), 9e7)).toEqual([])
})

/** The modules that import one. */
const importersOf = (name: string): string[] =>
  globSync('src/**/*.ts', { cwd: root })
    .filter((file) => readFileSync(join(root, file), 'utf8').includes(`/${name}'`))
    .sort()

test('only the program sets flags of its process, and the library for tests does not', () => {
  expect(importersOf('idle-memory.ts')).toEqual(['src/server/serve.ts'])
  const programs = ['src/cli/ask-operator.ts', 'src/server/serve.ts']
  expect(importersOf('small-heap.ts')).toEqual(programs)
  expect(importersOf('serve.ts')).toEqual(['src/cli/commands.ts', 'src/server/main.ts'])
})
