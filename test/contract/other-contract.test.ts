import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import { type Contract, eachExample, resolve } from '../../src/contract/document.ts'
import {
  addPrograms,
  copyWith,
  copyWithoutWebhooks,
  generate,
  libraryFolder,
  newFolder,
  remove,
  runNode,
  startMock,
} from '../support/lending-library.ts'

// The generators on the contract of an invented lending library, in test/consumers/lending-library.

const versions = ['2025-06-15', '2026-03-01']
const operationIds = [
  ...['memberCreate', 'loanCreate', 'loanRenew', 'loanList', 'holdCreate'],
  'webhookVerificationKeyGet',
]
const contract = join(libraryFolder, 'openapi')
const folder = newFolder()
const out = join(folder, 'package')

const contractOf = (version: string): Contract =>
  JSON.parse(readFileSync(join(out, 'generated', version, 'openapi.json'), 'utf8'))

beforeAll(async () => {
  const { code, stderr } = await generate(root, '--contract', contract, '--out', out)
  expect(code, stderr).toBe(0)
  addPrograms(out)
}, 240_000)

afterAll(() => remove(folder))

test('no script and no source names the library', () => {
  const names = /lending.library|harrow lane|library-client|(member|loan|hold)Create/i
  const files = globSync(['scripts/**/*', 'src/**/*', '*.{json,yaml,ts}'], { cwd: root })
  const named = files.filter((file) => {
    const path = join(root, file)
    return /\.\w+$/.test(file) && names.test(readFileSync(path, 'utf8'))
  })
  expect(named).toEqual([])
})

test('its package compiles strictly, and its types reject what the contract does', async () => {
  const { stdout, code } = await runNode(
    out,
    join(root, 'node_modules/typescript/bin/tsc'),
    ...['--project', '.', '--noEmit'],
  )
  expect({ stdout, code }).toEqual({ stdout: '', code: 0 })
})

describe.each(versions)('validators of %s', (version) => {
  const load = async () => {
    const examples = eachExample(contractOf(version)).filter(({ operationId }) => operationId)
    const file = join(out, 'generated', version, 'operations.ts')
    const { validators } = await import(/* @vite-ignore */ pathToFileURL(file).href)
    const all = examples.flatMap(({ operationId = '', status, value, schema }) => {
      if (status !== undefined && status !== '200') return []
      const side = status === undefined ? 'request' : 'response'
      return [{ validate: validators[operationId], side, value, schema }]
    })
    return Promise.all(
      all.map(async ({ validate, side, ...rest }) => ({ ...rest, own: (await validate())[side] })),
    )
  }

  test('accept every example', async () => {
    const found = await load()
    expect(found.length).toBeGreaterThanOrEqual(2 * operationIds.length)
    expect(found.flatMap(({ own, value }) => own.issues(value))).toEqual([])
  })

  test('reject every example that lacks a field or has a wrong one', async () => {
    const spoilt = (await load()).flatMap(({ own, value, schema }) => {
      const { required = [] } = resolve(contractOf(version), schema)
      return required.flatMap((name) => {
        const { [name]: _, ...without } = value as Record<string, unknown>
        return [own.is(without), own.is({ ...without, [name]: true })]
      })
    })
    expect(spoilt.length).toBeGreaterThan(40)
    expect(spoilt).not.toContain(true)
  })
})

test('a contract without webhooks becomes a package that compiles', async () => {
  const own = newFolder()
  copyWithoutWebhooks(own)
  const { code, stderr } = await generate(own, '--contract', 'openapi', '--out', 'package')
  expect(code, stderr).toBe(0)
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const { stdout } = await runNode(join(own, 'package'), compiler, '--project', '.', '--noEmit')
  expect(stdout).toBe('')
  remove(own)
}, 180_000)

describe('its client and its mock', () => {
  test('the mock finds nothing at a path of two slashes', async () => {
    await using mock = await startMock(out)
    const { status } = await fetch(`${mock.url}//`, { method: 'POST' })
    expect(status).toBe(404)
  })

  test('call all operations in both versions, and read pages and errors', async () => {
    await using mock = await startMock(out)
    const { stdout, stderr } = await runNode(out, 'program/journey.ts', mock.url)
    expect(stderr).toBe('')
    const { answers, loans, refusals, advice } = JSON.parse(stdout)
    for (const version of versions) expect(Object.keys(answers[version])).toEqual(operationIds)
    expect(answers['2026-03-01'].loanRenew.loan.renewals_left).toBe(1)
    expect(answers['2025-06-15'].loanRenew.loan).not.toHaveProperty('renewals_left')
    expect(loans).toEqual(['loan_82mfx1', 'loan_19kqp7'])
    expect(refusals).toEqual([
      [401, 'INVALID_CREDENTIALS', null],
      [400, 'INVALID_FIELD', [{ field: 'weeks', message: 'must be at most 4' }]],
      [400, 'UNKNOWN_FIELDS', [{ field: 'weeks', message: expect.any(String) }]],
      [400, 'NO_RENEWALS_LEFT', null],
    ])
    expect(advice[3]).toBe('Ask the member to return the copy.')
  })

  test('verify webhooks by the header of the library', async () => {
    await using mock = await startMock(out)
    const { stdout, stderr } = await runNode(out, 'program/webhook.ts', mock.url)
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual({
      event: expect.objectContaining({ webhook_code: 'OVERDUE', loan_id: 'loan_82mfx1' }),
      ofMock: 'bad_signature',
      otherHeader: 'missing_header',
      otherBody: 'altered_body',
    })
  })
})

describe('its docs', () => {
  const errors = readdirSync(join(contract, 'errors')).map((file) => file.replace('.yaml', ''))
  const pages = [
    '',
    'overview/',
    'versions/',
    'versions/2025-06-15-to-2026-03-01/',
    ...operationIds.map((id) => `operations/${id}/`),
    ...['LOAN.OVERDUE', 'HOLD.READY'].map((name) => `webhooks/${name}/`),
    ...errors.map((code) => `errors/${code}/`),
  ]

  test('have a page for each operation, webhook, error and change, also as Markdown', () => {
    const texts = pages.map((page) => `${page.replace(/\/$/, '') || 'index'}.md`)
    const files = [...pages.map((page) => `${page}index.html`), ...texts, 'llms.txt']
    expect(files.filter((file) => !existsSync(join(out, 'docs', file)))).toEqual([])
  })

  test('have no word of our own contract', () => {
    const words =
      /\b(Items?|institutions?|transactions?|accounts?|banks?|wallets?|Financial Data Service|financial-data-service)\b|access_token|sandbox-client/g
    const files = globSync('docs/**/*.{html,md,txt}', { cwd: out })
    const found = files.flatMap((file) =>
      [...readFileSync(join(out, file), 'utf8').matchAll(words)].map(
        ([word]) => `${file}: ${word}`,
      ),
    )
    expect(files.length).toBeGreaterThan(pages.length)
    expect(found).toEqual([])
  })
})

describe('a mistake in the contract is told with its place, and nothing is written', () => {
  test.each([
    [
      'a body without an example',
      'paths/holds/holdCreate.yaml',
      / {10}holdCreateRequest: .*\n/,
      '',
      /^openapi\/paths\/holds\/holdCreate\.yaml:18: a body needs `examples`, at least one$/,
    ],
    [
      'an example that is not there',
      'paths/holds/holdCreate.yaml',
      'holdCreate.yaml#/holdCreateRequest',
      'holdCreate.yaml#/none',
      /^openapi\/paths\/holds\/holdCreate\.yaml:21: .*leads nowhere: .*has no none$/,
    ],
    [
      'an unknown reference',
      'components/schemas/loans/Loan.yaml',
      './CopyId.yaml',
      './Copy.yaml',
      /^openapi\/components\/schemas\/loans\/Loan\.yaml:7: .*leads nowhere: .*Copy\.yaml is missing$/,
    ],
    [
      'an overlay that matches nothing',
      'versions/2025-06-15.overlay.yaml',
      'LoanRenewRequest.properties.weeks',
      'LoanRenewRequest.properties.days',
      /^openapi\/versions\/2025-06-15\.overlay\.yaml:13: the target matches nothing: .*days$/,
    ],
    [
      'an unknown setting',
      'settings.yaml',
      'credentials:\n',
      'credentials:\n  tenant: x\n',
      /^openapi\/settings\.yaml:4: `credentials\.tenant` is unknown; known are client_id, secret$/,
    ],
    [
      'a missing setting',
      'settings.yaml',
      /^package: .*\n/m,
      '',
      /^openapi\/settings\.yaml:1: `package` is missing$/,
    ],
    [
      'an operation of the settings that is not there',
      'settings.yaml',
      'operation: loanList',
      'operation: loanLists',
      /^openapi\/settings\.yaml:15: `docs\.operation`: the contract has no operation loanLists$/,
    ],
    [
      'an error of the settings that is not there',
      'settings.yaml',
      'path: NOT_FOUND',
      'path: NOWHERE',
      /^openapi\/settings\.yaml:10: `mock\.path`: the contract has no error NOWHERE$/,
    ],
    [
      'a version that is no date',
      'openapi.yaml',
      "x-api-version: '2026-03-01'",
      "x-api-version: '../../escaped'",
      /^openapi\/openapi\.yaml:\d+: `info` needs a `title`, and the date of the version/,
    ],
    [
      'a package that cannot be called so',
      'settings.yaml',
      /^package: .*\n/m,
      'package: Bad Name/../x\n',
      /^openapi\/settings\.yaml:\d+: `package` must be a package name/,
    ],
    [
      'a server without the command that starts it',
      'openapi.yaml',
      ', as `npm run mock` runs it',
      '',
      /^openapi\/openapi\.yaml:1: the description of the first server needs the command/,
    ],
    [
      'a path that is called otherwise than its operation',
      'openapi.yaml',
      '/hold/create:',
      '/hold/add:',
      /^openapi\/openapi\.yaml:\d+: the operation of \/hold\/add must be called holdAdd, not holdCreate$/,
    ],
    [
      'an unknown extension',
      'paths/loans/loanList.yaml',
      'x-retry-safe',
      'x-retry-saef',
      /^openapi\/paths\/loans\/loanList\.yaml:\d+: `x-retry-saef` is unknown here/,
    ],
  ])(
    '%s',
    async (_name, file, from, to, line) => {
      const own = newFolder()
      copyWith(own, file, from, to)
      const { code, stderr } = await generate(own, '--contract', 'openapi', '--out', 'package')
      const lines = stderr.trim().split('\n')
      expect(lines.filter((one) => line.test(one))).toHaveLength(1)
      // What follows from a mistake may have a line too.
      expect(lines.filter((one) => !/^openapi\/[\w./-]+:\d+: ./.test(one))).toEqual([])
      expect(code).toBe(1)
      expect(readdirSync(own)).toEqual(['openapi'])
      remove(own)
    },
    180_000,
  )

  test.each([
    ['the contract itself', contract],
    ['this repository', root],
    ['a package with a program', out],
  ])('leaves a folder alone that holds other files: %s', async (_name, other) => {
    const { code, stderr } = await generate(root, '--contract', contract, '--out', other)
    expect(stderr).toMatch(/holds files that `generate` has not written: choose another one\n$/)
    expect(code).toBe(1)
  })

  test('and wrong options end with 2', async () => {
    const { code, stderr } = await generate(root, '--contract', contract)
    expect(stderr).toBe('--contract and --out belong together; see --help\n')
    expect(code).toBe(2)
  })
})
