import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import { watchMemory } from '../../src/server/boot/free-memory.ts'

/** A check: the share in which the event loop was busy, and MB of the heap. */
type Check = [utilization: number, heap: number]

/** What is done at which of the checks. */
function doneAt(checks: readonly Check[]): [number, 'release' | 'collect'][] {
  const done: [number, 'release' | 'collect'][] = []
  let place = -1
  const runtime = {
    utilization: () => checks[place]?.[0] as number,
    heap: () => (checks[place]?.[1] as number) * 1_000_000,
    releaseSoon: () => done.push([place, 'release']),
    collect: () => done.push([place, 'collect']),
  }
  const check = watchMemory(runtime, 90_000_000)
  for (place = 0; place < checks.length; place += 1) check()
  return done
}

/** The same, counted from the first collection on. */
const doneAfterStart = (checks: readonly Check[]): [number, string][] =>
  doneAt([...started, ...checks])
    .slice(1)
    .map(([place, what]) => [place - started.length, what])

const idle = (checks: number, heap = 100): Check[] => Array(checks).fill([0.01, heap])
const busy = (checks: number, heap = 100): Check[] => Array(checks).fill([0.9, heap])

/** The first ones after a start, which end with the first collection. */
const started = idle(10, 40)

test('collects the garbage of a start after ten idle checks, however small the heap is', () => {
  expect(doneAt([...busy(5, 40), ...idle(100, 40)])).toEqual([[14, 'collect']])
})

test('collects garbage after 30 idle checks, once in an idle period', () => {
  expect(doneAfterStart([...busy(1), ...idle(100)])).toEqual([[30, 'collect']])
})

test('collects garbage again in the next idle period', () => {
  const done = doneAfterStart([...busy(1), ...idle(50), ...busy(1), ...idle(50)])
  expect(done).toEqual([
    [30, 'collect'],
    [81, 'collect'],
  ])
})

test('leaves the heap as it is during short pauses between loads', () => {
  expect(doneAfterStart([...busy(1), ...idle(29), ...busy(1), ...idle(29)])).toEqual([])
})

test('leaves a heap that has never been large as it is', () => {
  expect(doneAfterStart([...busy(1, 60), ...idle(100, 60)])).toEqual([])
})

test('collects garbage of a heap that is small again: its pages are kept', () => {
  expect(doneAfterStart([...busy(1, 100), ...idle(100, 40)])).toEqual([[30, 'collect']])
})

test('releases free pages after each 20 busy checks, other ones between them or not', () => {
  expect(doneAt(busy(45))).toEqual([
    [19, 'release'],
    [39, 'release'],
  ])
  expect(doneAfterStart([...busy(5), ...idle(20), ...busy(15)])).toEqual([[39, 'release']])
})

test('releases nothing of a heap that has not been large since the last time', () => {
  expect(doneAfterStart([...busy(20, 100), ...busy(100, 60)])).toEqual([[19, 'release']])
})

test('releases nothing of a heap that is large enough for an idle service only', () => {
  expect(doneAfterStart([...busy(100, 80), ...idle(100, 80)])).toEqual([[129, 'collect']])
  expect(doneAfterStart([...busy(30, 80), ...busy(1, 95)])).toEqual([[30, 'release']])
})

/** A program that no longer uses a large heap; prints whether its resident memory becomes much less. */
const program = (what: string) => `
import { setTimeout as sleep } from 'node:timers/promises'
import { thisProcess } from ${JSON.stringify(join(root, 'src/server/boot/free-memory.ts'))}
const readMb = () => process.memoryUsage.rss() / 1e6
const grow = (count) => Array.from({ length: count }, (_, at) => ({ at }))
let kept = grow(4_000_000)
const isLess = (limit) => readMb() < limit
const limit = readMb() - 60
kept = undefined
${what}
console.log(isLess(limit))
`
/** Collections go on, as under load; on a slow machine it takes seconds until one begins to mark. */
const work = (times: number) => `
for (let time = 0; time < ${times} && !isLess(limit); time += 1) {
  kept = grow(100_000)
  await sleep(5)
}`

function printedBy(what: string): string {
  const args = ['--input-type=module', '--eval', program(what)]
  return execFileSync(process.execPath, args, { encoding: 'utf8' }).trim()
}

test('V8 keeps what is freed under load, unless it is told not to', () => {
  expect(printedBy(`thisProcess().releaseSoon()${work(2000)}`)).toBe('true')
  expect(printedBy(work(200))).toBe('false')
})

test('a collection of all garbage returns what was in use', () => {
  expect(printedBy('thisProcess().collect()')).toBe('true')
})

/** The modules that import one. */
const importersOf = (name: string): string[] =>
  globSync('src/**/*.ts', { cwd: root })
    .filter((file) => readFileSync(join(root, file), 'utf8').includes(`/${name}'`))
    .sort()

test('only the program sets flags of its process, and the library for tests does not', () => {
  expect(importersOf('free-memory.ts')).toEqual(['src/server/serve.ts'])
  const programs = ['src/cli/ask-operator.ts', 'src/server/serve.ts']
  expect(importersOf('small-heap.ts')).toEqual(programs)
  expect(importersOf('serve.ts')).toEqual(['src/cli/commands.ts', 'src/server/main.ts'])
})
