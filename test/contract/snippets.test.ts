import { execFile } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../../scripts/contract.ts'
import { compile } from '../support/compile.ts'
import { type RunningMock, startMock } from '../support/mock.ts'

// Every TypeScript example of the README, the introduction and the doc comments is compiled, and
// those that call the service are run against the mock.

interface Snippet {
  place: string
  code: string
}

function snippetsOf(file: string): Snippet[] {
  const text = readFileSync(join(root, file), 'utf8').replace(/^ \* ?/gm, '')
  return [...text.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code], index) => ({
    place: `${file} ${index + 1}`,
    code: code!,
  }))
}

const files = [
  'README.md',
  'openapi/introduction.md',
  ...globSync('src/{client,validators,webhooks}/*.ts', { cwd: root }),
]
const snippets = files.flatMap(snippetsOf)

/** The package's own names, as paths from `folder` (two levels below the root) to the sources. */
const fromSources = (code: string): string =>
  code
    .replaceAll(
      /'financial-data-service\/validators\/(\w+)'/g,
      `'../../generated/2020-09-14/validators/$1.js'`,
    )
    .replaceAll(`'financial-data-service'`, `'../../src/index.ts'`)

/** Runs a file and returns what it printed; the mock lives here, so nothing may block. */
async function run(file: string): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [file])
  return stdout + stderr
}

let mock: RunningMock
let folder: string
beforeAll(async () => {
  mock = await startMock()
  mkdirSync(join(root, '.cache'), { recursive: true })
  folder = mkdtempSync(join(root, '.cache/snippets-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await mock.close()
})

test('there are examples', () => {
  expect(snippets.length).toBeGreaterThanOrEqual(4)
})

describe.each(snippets)('$place', ({ place, code }) => {
  test('compiles', () => {
    expect(compile(fromSources(code), 'test/contract/snippet.ts')).toEqual([])
  })

  test.runIf(code.includes('console.log'))('runs', async () => {
    const file = join(folder, `${place.replaceAll(/\W/g, '-')}.ts`)
    const local = fromSources(code).replaceAll(/http:\/\/127\.0\.0\.1:40[01]0/g, mock.url)
    writeFileSync(file, local)
    await expect(run(file)).resolves.not.toMatch(/error/i)
  })
})
