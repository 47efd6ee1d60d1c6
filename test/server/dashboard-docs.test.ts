import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { searchPages } from '../../src/server/dashboard/docs/search-pages.ts'
import { type DashboardBrowser, signIn } from '../support/dashboard-browser.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let browser: DashboardBrowser
let folder: string
beforeAll(async () => {
  service = await startService()
  const tenant = await service.tenant()
  browser = await signIn(service, { client_id: tenant.clientId, role: 'reviewer' })
  folder = mkdtempSync(join(tmpdir(), 'docs-'))
  mkdirSync(join(folder, 'guides'))
  mkdirSync(join(folder, 'versions'))
  const guide =
    '# Receive webhooks\n\nThey arrive.\n\n## Verify a webhook\n\n```sh\n# a comment\n```\n'
  writeFileSync(join(folder, 'guides/receive.md'), guide)
  writeFileSync(join(folder, 'versions/old.md'), '# Old\n\n## Verify a webhook\n\nAs today.\n')
  writeFileSync(join(folder, 'long.md'), `# Long\n\n${'walrus '.repeat(1000)}`)
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('dashboardDocsSearch', () => {
  test('finds a guide by the words of a question', async () => {
    const { sections } = await browser.ask('dashboardDocsSearch', { query: 'receive webhooks' })
    expect(sections).toHaveLength(5)
    expect(sections[0]).toMatchObject({ page: 'guides/receive-webhooks.md' })
  })

  test('has the best section first, and guides before older versions', async () => {
    const found = await searchPages(folder, 'verify webhook', 10)
    expect(found.map(({ page, heading }) => [page, heading])).toEqual([
      ['guides/receive.md', 'Verify a webhook'],
      ['guides/receive.md', null],
      ['versions/old.md', 'Verify a webhook'],
    ])
  })

  test('takes a line of code for no heading', async () => {
    const [found] = await searchPages(folder, 'comment', 1)
    expect(found).toMatchObject({ heading: 'Verify a webhook', text: '```sh\n# a comment\n```' })
  })

  test('compares words from their beginning, in any case', async () => {
    expect(await searchPages(folder, 'WALRU', 5)).toHaveLength(1)
    expect(await searchPages(folder, 'alrus', 5)).toEqual([])
  })

  test('returns the beginning of a long section', async () => {
    const [found] = await searchPages(folder, 'walrus', 1)
    expect(found?.text).toHaveLength(1501)
  })

  test('finds nothing by words that say nothing', async () => {
    expect(await searchPages(folder, 'the and of', 5)).toEqual([])
  })
})

describe('dashboardDocsOperationGet', () => {
  test.each(['/transactions/sync', 'transactionsSync'])(
    'knows an operation by %s',
    async (name) => {
      const answer = await browser.ask('dashboardDocsOperationGet', { operation: name })
      expect(answer).toMatchObject({ operation_id: 'transactionsSync', path: '/transactions/sync' })
      const fields = answer.request_fields.map(({ field }) => field)
      expect(fields).toEqual(expect.arrayContaining(['access_token', 'options.days_requested']))
      expect(new Set(fields).size).toBe(fields.length)
      expect(answer.answer_fields.map(({ field }) => field)).toContain('added[].transaction_id')
      expect(answer.answer_fields.length).toBeLessThanOrEqual(300)
    },
  )

  test('knows the platform API and, in the sandbox, the sandbox API', async () => {
    for (const operation of ['/link/token/create', '/sandbox/clock/advance']) {
      const answer = await browser.ask('dashboardDocsOperationGet', { operation })
      expect(answer.path).toBe(operation)
    }
    const environment = 'production'
    const production = await startService({ settings: { environment, reportDelayMs: 0 } })
    const user = await signIn(production, { client_id: (await production.tenant()).clientId })
    const operation = '/sandbox/clock/advance'
    expect((await user.send('dashboardDocsOperationGet', { operation })).status).toBe(404)
    await production.close()
  })

  test('answers 404 for an operation that does not exist', async () => {
    const operation = '/none'
    expect((await browser.send('dashboardDocsOperationGet', { operation })).status).toBe(404)
  })
})
