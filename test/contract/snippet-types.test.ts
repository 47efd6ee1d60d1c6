import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compileFiles } from '../support/compile.ts'
import { exampleFile, examples, writeExamples } from '../support/snippets.ts'

// Every TypeScript example of the README, the introduction, the guides and the doc comments compiles.

let folder: string
let problems: Map<string, string[]>
beforeAll(() => {
  folder = writeExamples()
  problems = compileFiles(examples.map((example) => join(folder, exampleFile(example))))
}, 120_000)
afterAll(() => rmSync(folder, { recursive: true }))

test.each(examples)('$place compiles', (example) => {
  expect(problems.get(join(folder, exampleFile(example)))).toEqual([])
})
