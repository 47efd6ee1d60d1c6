import { execFile } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import { guideFolder } from '../../scripts/docs/guides.ts'
import { optionTable } from '../../scripts/docs/option-table.ts'
import { compileFiles } from '../support/compile.ts'
import { freePort } from '../support/free-port.ts'
import { type RunningMock, startMock } from '../support/mock.ts'
import { startWorld, type TestService } from '../support/service.ts'
import { fromSources, type Snippet, snippetsOf } from '../support/snippets.ts'

// Every TypeScript example of the README, the introduction, the guides and the doc comments is
// compiled, and those that print something are run against the service or the mock.
// Their commands for a shell are the matter of shell-snippets.test.ts.

const files = [
  'README.md',
  'openapi/introduction.md',
  ...globSync(`${guideFolder}/*.md`, { cwd: root }),
  ...globSync('src/{client,testing,validators,webhooks}/*.ts', { cwd: root }),
]
const snippets = files.flatMap((file) => snippetsOf(file, 'ts'))

const fileName = ({ name, place }: Snippet): string => name ?? `${place.replaceAll(/\W/g, '-')}.ts`

let service: TestService
let mock: RunningMock
let folder: string
let problems: Map<string, string[]>

beforeAll(async () => {
  service = await startWorld()
  mock = await startMock()
  const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
  const receiver = await freePort()
  mkdirSync(join(root, '.cache'), { recursive: true })
  folder = mkdtempSync(join(root, '.cache/snippets-'))
  for (const snippet of snippets) {
    const local = fromSources(snippet.code)
      .replaceAll('http://127.0.0.1:4000', url)
      .replaceAll('http://127.0.0.1:4010', mock.url)
      .replaceAll(/\b4002\b/g, String(receiver))
    writeFileSync(join(folder, fileName(snippet)), local)
  }
  problems = compileFiles(snippets.map((snippet) => join(folder, fileName(snippet))))
}, 120_000)
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await service.close()
  await mock.close()
})

test('there are examples in every guide that has code, and each name stands for one', () => {
  expect(snippets.length).toBeGreaterThanOrEqual(12)
  const names = snippets.flatMap(({ name }) => name ?? [])
  expect(new Set(names).size).toBe(names.length)
})

describe.each(snippets)('$place', (snippet) => {
  test('compiles', () => {
    expect(problems.get(join(folder, fileName(snippet)))).toEqual([])
  })

  // The service lives in this process, so nothing may block while an example runs.
  test.runIf(snippet.code.includes('console.log'))('runs', async () => {
    const file = join(folder, fileName(snippet))
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [file])
    expect(stderr).not.toMatch(/error/i)
    if (snippet.prints === undefined) expect(stdout).not.toMatch(/error|undefined/i)
    else expect(stdout).toBe(snippet.prints)
  })
})

test('the README lists every option of the service, as --help does', () => {
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(optionTable())
})
