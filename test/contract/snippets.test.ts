import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { type RunningMock, startMock } from '../support/mock.ts'
import { startWorld, type TestService } from '../support/service.ts'
import { exampleFile, examples, writeExamples } from '../support/snippets.ts'

// Every TypeScript example that prints something is run against the service or the mock. All of them
// are compiled by snippet-types.test.ts; commands for a shell are run by shell-snippets.test.ts.

let service: TestService
let url: string
let mock: RunningMock
let folder: string

beforeAll(async () => {
  service = await startWorld({ publicUrl: () => url })
  mock = await startMock()
  url = await service.app.listen({ port: 0, host: '127.0.0.1' })
  const receiver = await freePort()
  folder = writeExamples((code) =>
    code
      .replaceAll('http://127.0.0.1:4000', url)
      .replaceAll('http://127.0.0.1:4010', mock.url)
      .replaceAll(/\b4002\b/g, String(receiver)),
  )
}, 120_000)
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await service.close()
  await mock.close()
})

test('there are examples in every guide that has code, and each name stands for one', () => {
  expect(examples.length).toBeGreaterThanOrEqual(12)
  const names = examples.flatMap(({ name }) => name ?? [])
  expect(new Set(names).size).toBe(names.length)
})

const printing = examples.filter(({ code }) => code.includes('console.log'))

describe.each(printing)('$place', (example) => {
  // The service lives in this process, so nothing may block while an example runs.
  test('runs', async () => {
    const file = join(folder, exampleFile(example))
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [file])
    expect(stderr).not.toMatch(/error/i)
    if (example.prints === undefined) expect(stdout).not.toMatch(/error|undefined/i)
    else expect(stdout).toBe(example.prints)
  })
})
