import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../scripts/contract.ts'
import { watchIdleness } from '../../src/server/idle-memory.ts'

/** What is set by the checks at these shares of a busy event loop: their places, and the setting. */
function settingsAt(utilizations: readonly number[], heap = 2e8): Record<number, boolean> {
  const found: Record<number, boolean> = {}
  let place = -1
  const check = watchIdleness({
    utilization: () => utilizations[place] as number,
    heap: () => heap,
    preferSmallHeap: (isOn) => {
      found[place] = isOn
    },
  })
  for (place = 0; place < utilizations.length; place += 1) check()
  return found
}

const idle = (checks: number): number[] => Array(checks).fill(0.01)

test('prefers a small heap for a short time after 30 idle checks, once in an idle period', () => {
  expect(settingsAt([0.9, ...idle(100)])).toEqual({ 30: true, 42: false })
})

test('prefers speed as soon as the service is busy', () => {
  expect(settingsAt([...idle(32), 0.2, 0.9])).toEqual({ 29: true, 32: false })
})

test('prefers a small heap again in the next idle period', () => {
  const settings = settingsAt([...idle(50), 0.9, ...idle(50)])
  expect(settings).toEqual({ 29: true, 41: false, 80: true, 92: false })
})

test('leaves the heap as it is during short pauses between loads', () => {
  expect(settingsAt([...idle(29), 0.9, ...idle(29), 0.9])).toEqual({})
})

test('leaves a heap that has not grown as it is', () => {
  expect(settingsAt(idle(100), 9e7)).toEqual({})
})

/** The modules that import one. */
const importersOf = (name: string): string[] =>
  globSync('src/**/*.ts', { cwd: root })
    .filter((file) => readFileSync(join(root, file), 'utf8').includes(`/${name}'`))
    .sort()

test('only the program sets flags of its process, and the library for tests does not', () => {
  expect(importersOf('idle-memory.ts')).toEqual(['src/server/serve.ts'])
  expect(importersOf('serve.ts')).toEqual(['src/cli/commands.ts', 'src/server/main.ts'])
})
