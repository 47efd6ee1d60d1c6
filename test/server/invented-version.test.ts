import { execFile } from 'node:child_process'
import {
  cpSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { currentVersion, root, versions } from '../../scripts/contract/contract.ts'
import type { Differences } from '../../src/server/versions/difference.ts'
import type { Body } from '../support/service.ts'

// A version that never was, older than all others, added to a copy of the project by an overlay and
// a file. Nothing else of the copy is edited.

const invented = '2017-02-28'
const schemas = '$.components.schemas'

/** Has differently from 2018-05-22: one difference of each kind. */
const overlayActions = [
  // A field of another name, of requests and of answers.
  { target: `${schemas}.AccountFilter.properties.account_ids`, remove: true },
  {
    target: `${schemas}.AccountFilter.properties`,
    update: {
      only: {
        type: 'array',
        maxItems: 500,
        items: { $ref: '#/components/schemas/AccountIdInput' },
        examples: [['TSqdADmriVPByJEsmQ98pm2BwKC8okk2LbKVd']],
      },
    },
  },
  { target: `${schemas}.Account.allOf[1].required[?@ == 'mask']`, remove: true },
  { target: `${schemas}.Account.allOf[1].properties.mask`, remove: true },
  {
    target: `${schemas}.Account.allOf[1]`,
    update: {
      required: ['digits'],
      properties: {
        digits: {
          type: ['string', 'null'],
          pattern: '^[A-Za-z0-9]{2,4}$',
          examples: ['4821'],
        },
      },
    },
  },
  // A value of another name, a field that is missing, and one that is always the same.
  { target: `${schemas}.HolderCategory.enum[?@ == 'personal']`, remove: true },
  { target: `${schemas}.HolderCategory`, update: { enum: ['private'] } },
  { target: `${schemas}.Account.allOf[1].required[?@ == 'official_name']`, remove: true },
  { target: `${schemas}.Account.allOf[1].properties.official_name`, remove: true },
  {
    target: `${schemas}.AccountsGetResponse`,
    update: { required: ['stale'], properties: { stale: { type: 'boolean', const: false } } },
  },
  // What takes a function, on the way in and on the way out.
  {
    target: `${schemas}.TransactionsGetRequest.required[?@ == 'start_date' || @ == 'end_date']`,
    remove: true,
  },
  {
    target: `${schemas}.TransactionsGetRequest.properties['start_date', 'end_date']`,
    remove: true,
  },
  {
    target: `${schemas}.TransactionsGetRequest`,
    update: { required: ['year'], properties: { year: { type: 'integer', minimum: 2000 } } },
  },
  {
    target: `${schemas}.TransactionsGetResponse`,
    update: { required: ['page_size'], properties: { page_size: { type: 'integer' } } },
  },
]

const versionFile = `
import { differences } from '../../../generated/${invented}/differences.ts'

const transactionsGet = ({ year, ...rest }) =>
  ({ ...rest, start_date: \`\${year}-01-01\`, end_date: \`\${year}-12-31\` })

export const file = {
  differences,
  requests: { transactionsGet },
  responses: {
    transactionsGet: (answer) => ({ ...answer, page_size: answer.transactions.length }),
  },
}
`

/** Generates what \`npm run generate\` does for a version, as far as the service reads it. */
const generate = `
import { bundle } from './scripts/generate/bundle.ts'
import { differences } from './scripts/generate/differences.ts'
import { operations } from './scripts/generate/operations.ts'
import { validators } from './scripts/validators/validators.ts'
import { versions } from './scripts/generate/versions.ts'
bundle(['${invented}', '${currentVersion}'])
versions()
operations(['${invented}'])
differences()
await validators(['${invented}'])
`

/** Every answer is checked by the service itself, exactly, against the contract of its version. */
const calls = `
import { startWorld } from './test/support/service.ts'
const world = await startWorld({ clock: () => Date.parse('2026-03-16T12:00:00Z') })
const access_token = 'access-sandbox-00000000-0000-4000-8000-000000000001'
const ask = async (path, body, version) => {
  const headers = { 'Service-Version': version }
  return (await world.client.post(path, { access_token, ...body }, headers)).body
}
const answers = {}
for (const version of ['${invented}', '2018-05-22', '${currentVersion}']) {
  const isInvented = version === '${invented}'
  const all = await ask('/accounts/get', {}, version)
  const ids = [all.accounts[1].account_id]
  const options = isInvented ? { only: ids } : { account_ids: ids }
  const period = isInvented ? { year: 2025 } : { start_date: '2025-01-01', end_date: '2025-12-31' }
  answers[version] = {
    all,
    some: await ask('/accounts/get', { options }, version),
    identity: await ask('/identity/get', {}, version),
    transactions: await ask('/transactions/get', period, version),
    rejected: await ask('/accounts/get', { options: { account_ids: ids } }, version),
  }
}
const unknown = await ask('/accounts/get', {}, '2017-03-08')
await world.close()
console.log(JSON.stringify({ answers, unknown }))
`

let copy: string
beforeAll(async () => {
  copy = realpathSync(mkdtempSync(join(tmpdir(), 'invented-version-')))
  for (const part of ['openapi', 'scripts', 'src', 'generated', 'test/support']) {
    cpSync(join(root, part), join(copy, part), { recursive: true })
  }
  for (const file of ['package.json', 'redocly.yaml']) cpSync(join(root, file), join(copy, file))
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const overlay = {
    overlay: '1.0.0',
    info: { title: `What version ${invented} has differently`, version: '1.0.0' },
    actions: overlayActions,
  }
  writeFileSync(join(copy, `openapi/versions/${invented}.overlay.yaml`), stringify(overlay))
  writeFileSync(join(copy, `src/server/versions/${invented}.ts`), versionFile)
  await run(generate)
}, 180_000)
afterAll(() => rmSync(copy, { recursive: true, force: true }))

async function run(program: string): Promise<string> {
  const file = join(copy, 'program.ts')
  writeFileSync(file, program)
  const options = { cwd: copy, maxBuffer: 64 * 1024 * 1024 }
  const { stdout } = await promisify(execFile)(process.execPath, [file], options)
  return stdout
}

type Answers = Record<'all' | 'some' | 'identity' | 'transactions' | 'rejected', Body>

const accountsIn = (body: Body) => body['accounts'] as Body[]

describe('a version that is added by an overlay and a file', () => {
  let older: Answers
  let next: Answers
  let newest: Answers
  /** The error of a version that does not exist. */
  let unknown: Body
  beforeAll(async () => {
    const told = JSON.parse(await run(calls)) as { answers: Record<string, Answers>; unknown: Body }
    const { answers } = told
    unknown = told.unknown
    older = answers[invented] as Answers
    next = answers['2018-05-22'] as Answers
    newest = answers[currentVersion] as Answers
  }, 120_000)

  test('is derived as far as it can be, and what it takes by hand is named', async () => {
    const file = join(copy, `generated/${invented}/differences.ts`)
    const { differences } = (await import(/* @vite-ignore */ file)) as { differences: Differences }
    expect(differences.newer).toBe('2018-05-22')
    expect(Object.keys(differences.changes).sort()).toEqual([
      'Account',
      'AccountFilter',
      'AccountsGetResponse',
      'HolderCategory',
      'TransactionsGetRequest',
    ])
    expect(differences.byHand).toEqual({
      requests: { transactionsGet: ['start_date', 'end_date', 'year'] },
      responses: { transactionsGet: ['page_size'] },
    })
  })

  test('is known wherever a version can be named', () => {
    const bundled = readFileSync(join(copy, 'generated/openapi.json'), 'utf8')
    const { parameters, examples } = JSON.parse(bundled).components
    expect(parameters.ServiceVersion.schema).toMatchObject({
      enum: [invented, ...versions],
      default: currentVersion,
    })
    const { error_message } = examples.INVALID_HEADERS.value
    expect(error_message).toContain([invented, ...versions].join(', '))
    expect(unknown['error_message']).toBe(error_message)
  })

  test('is answered in its own words', () => {
    const expected = accountsIn(next.all).map(({ mask, official_name: _, ...account }) => ({
      ...account,
      digits: mask,
      holder_category:
        account['holder_category'] === 'personal' ? 'private' : account['holder_category'],
    }))
    expect(older.all).toMatchObject({ stale: false, accounts: expected })
    for (const account of accountsIn(older.all)) {
      expect(account).not.toHaveProperty('mask')
      expect(account).not.toHaveProperty('official_name')
    }
  })

  test('has the differences of the versions after it as well', () => {
    expect(older.identity).toHaveProperty('identity')
    expect(older.identity['identity']).toEqual(next.identity['identity'])
    expect(accountsIn(newest.identity)[0]).toHaveProperty('owners')
  })

  test('is asked in its own words, and rejects those of others', () => {
    const [account] = accountsIn(older.some)
    expect(accountsIn(older.some)).toHaveLength(1)
    expect(account!['account_id']).toBe(accountsIn(newest.some)[0]!['account_id'])
    expect(older.rejected['error_code']).toBe('UNKNOWN_FIELDS')
    expect(newest.rejected['error_code']).toBeUndefined()
  })

  test('has its functions run, before the handler and after it', () => {
    const { transactions, total_transactions } = older.transactions as {
      transactions: Body[]
    } & Body
    expect(total_transactions).toBe(newest.transactions['total_transactions'])
    expect(transactions.length).toBeGreaterThan(0)
    expect(older.transactions['page_size']).toBe(transactions.length)
    expect(transactions[0]).toEqual((next.transactions['transactions'] as Body[])[0])
  })

  test.each([
    ['has nothing to do', `${schemas}.Account.allOf[1].properties.colour`, 'matches nothing: $'],
    ['has no JSONPath', `${schemas}.Account[`, 'must be a JSONPath. Expected'],
  ])('is rejected with file and line when an action %s', async (_, target, told) => {
    const file = `openapi/versions/${invented}.overlay.yaml`
    const overlay = readFileSync(join(copy, file), 'utf8')
    const line = overlay.split('\n').length
    const action = { target, remove: true }
    writeFileSync(join(copy, file), `${overlay}${stringify([action]).replaceAll(/^/gm, '  ')}`)
    const bundling = `import { bundle } from './scripts/generate/bundle.ts'\nbundle(['${invented}'])`
    await expect(run(bundling)).rejects.toThrow(`${file}:${line}: the target ${told}`)
    writeFileSync(join(copy, file), overlay)
  })
})
