import { afterAll, beforeAll, expect, test } from 'vitest'
import { conformTo, failuresIn } from '../support/conform.ts'
import { type RunningMock, startMock } from '../support/mock.ts'

let mock: RunningMock
beforeAll(async () => {
  mock = await startMock()
})
afterAll(() => mock.close())

test('the mock keeps to all of the contract that needs no stored data', async () => {
  const report = await conformTo(mock.url, { stateless: true })
  expect(failuresIn(report)).toEqual([])
  expect(report).toMatchObject({ notJudged: 0, sandbox: false })
  expect(report.passed).toBeGreaterThan(1000)
  const groups = new Set(report.results.map(({ group }) => group))
  expect([...groups]).toEqual([
    ...['protocol', 'credentials', 'versions', 'request rules', 'answers', 'errors', 'pages'],
  ])
})
