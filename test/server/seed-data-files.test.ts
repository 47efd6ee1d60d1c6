import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { root } from '../../scripts/contract/contract.ts'
import { guideFolder } from '../../scripts/docs/guides.ts'
import { worldSchemaFile } from '../../scripts/generate/world-schema.ts'
import { idFields } from '../../src/server/fixtures/merge-seed-data.ts'
import {
  defaultSeedDataFiles,
  readSeedData,
  readSeedDataFile,
} from '../../src/server/fixtures/read-seed-data.ts'
import { startWorld } from '../support/service.ts'

const ready = 'access-sandbox-00000000-0000-4000-8000-000000000001'

/** The seed data with a file of the user over the default. */
async function over(text: string, name = 'world.yaml') {
  const { seedData: world } = await readSeedData(
    [...defaultSeedDataFiles(), { name, text }],
    'sandbox',
  )
  return world
}

/** What is said of a wrong file, line by line. */
async function findingsOf(text: string): Promise<string[]> {
  const error = await over(text).then(
    () => new Error('the file was accepted'),
    (reason: unknown) => reason as Error,
  )
  return error.message.split('\n')
}

describe('a file over the default seed data', () => {
  test('changes an element that is known by its id, and leaves the others', async () => {
    const world = await over(`
clients:
  - client_id: sandbox-client
    items:
      - access_token: ${ready}
        webhook: http://127.0.0.1:9000/hooks
        accounts:
          - account_id: TSqdADmriVPByJEsmQ98pm2BwKC8okk2LbKVd
            balances: { current: 12.34 }
`)
    const [client] = world.clients!
    const item = client!.items!.find(({ access_token }) => access_token === ready)!
    expect(item.webhook).toBe('http://127.0.0.1:9000/hooks')
    expect(item.institution_id).toBe('ins_109508')
    expect(item.accounts).toHaveLength(6)
    expect(item.accounts![0]!.balances).toMatchObject({
      current: 12.34,
      available: expect.any(Number),
    })
    expect(world.clients).toHaveLength(2)
  })

  test('adds an element with a new id, and takes one out', async () => {
    const world = await over(`
institutions:
  - { institution_id: ins_1, name: Bank of Nowhere, products: [balance], country_codes: [US] }
  - { institution_id: ins_900001, name: Renamed Bank }
  - { institution_id: ins_120002, remove: true }
clients:
  - { client_id: sandbox-partner, remove: true }
  - { client_id: third, secret: third-secret }
`)
    const ids = world.institutions!.map((one) => one.institution_id)
    expect(ids).toContain('ins_1')
    expect(ids).not.toContain('ins_120002')
    const renamed = world.institutions!.find((one) => one.institution_id === 'ins_900001')
    expect(renamed).toMatchObject({ name: 'Renamed Bank', country_codes: ['US'] })
    expect(world.clients!.map((client) => client.client_id)).toEqual(['sandbox-client', 'third'])
  })

  test('can be JSON', async () => {
    const world = await over(JSON.stringify({ seed: 'spring-tide' }), 'world.json')
    expect(world.seed).toBe('spring-tide')
  })

  test('can be empty', async () => {
    expect((await over('# nothing yet\n')).clients).toHaveLength(2)
  })
})

describe('the guide', () => {
  const guide = readFileSync(join(root, guideFolder, '11-seed-data.md'), 'utf8')

  test('shows a file that can be merged over the default seed data', async () => {
    const [, text] = guide.match(/```yaml\n([\s\S]+?)```/) ?? []
    const folder = mkdtempSync(join(tmpdir(), 'world-'))
    const fixture = join(folder, 'world.yaml')
    writeFileSync(fixture, text!)
    const world = await startWorld({}, { fixture })
    const asked = [
      ['00000000-0000-4000-8000-000000000001', 6],
      ['11111111-1111-4111-8111-111111111111', 6],
      ['22222222-2222-4222-8222-222222222222', 1],
    ] as const
    for (const [token, count] of asked) {
      const { body } = await world.client.post('/accounts/get', {
        access_token: `access-sandbox-${token}`,
      })
      expect(body['accounts']).toHaveLength(count)
    }
    const { status } = await world
      .tenantOf('nightly-tests', 'nightly-tests-secret')
      .post('/wallet/list', {})
    expect(status).toBe(200)
    await world.close()
    rmSync(folder, { recursive: true })
  })

  test('names the id of every list', () => {
    const [, rows = ''] = guide.match(/\| list \| its id \|\n.*\n((?:\|.*\n)+)/) ?? []
    const table = [...rows.matchAll(/^\| `(\w+)` \| `(\w+)` \|$/gm)].map(([, list, id]) => [
      list,
      id,
    ])
    expect(Object.fromEntries(table)).toEqual(idFields)
  })

  test('names the number of every Item of the first client', async () => {
    const { seedData: world } = await readSeedData(defaultSeedDataFiles(), 'sandbox')
    const numbers = world.clients![0]!.items!.map((one) => Number(one.access_token.slice(-2)))
    const [, rows = ''] = guide.match(/\| NN \| the Item \|\n.*\n((?:\|.*\n)+)/) ?? []
    const told = [...rows.matchAll(/^\| ([\d, to]+) \|/gm)].flatMap(([, cell]) => numbersOf(cell!))
    expect(told).toEqual(numbers)
  })
})

/** `01`, `24, 25, 26` or `11 to 23`. */
function numbersOf(cell: string): number[] {
  const [from = 0, to = 0] = cell.split(' to ').map(Number)
  if (!cell.includes('to')) return cell.split(', ').map(Number)
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

describe('the published schema', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  const schema = JSON.parse(readFileSync(worldSchemaFile, 'utf8'))
  const check = ajv.compile(schema)

  test.each(defaultSeedDataFiles())('fits $name', ({ text }) => {
    check(parse(text))
    expect(check.errors).toBeNull()
  })

  test('rejects what the service rejects', () => {
    expect(check({ clients: [{ client_id: 'a', colour: 'green' }] })).toBe(false)
    expect(check({ clients: [{ secret: 'a' }] })).toBe(false)
  })
})

describe('a wrong file', () => {
  test('is not there', () => {
    expect(() => readSeedDataFile('/nowhere/world.yaml')).toThrow(
      '/nowhere/world.yaml: there is no such file',
    )
  })

  test('reports the line of what does not fit, in the terms of the file', async () => {
    const findings = await findingsOf(`clients:
  - client_id: sandbox-client
    items:
      - access_token: ${ready}
        accounts:
          - { account_id: new, type: savings, subtype: savings, name: New }
`)
    expect(findings).toEqual([
      'world.yaml:6:32: clients[0].items[0].accounts[0].type must be one of: investment, credit, depository, loan, other, payroll',
    ])
  })

  test('reports all errors at once, in order', async () => {
    const findings = await findingsOf(`clients:
  - client_id: sandbox-client
    colour: green
    wallets:
      - wallet_id: wallet-id-sandbox-new
        iso_currency_code: USD
        current: -1
    items:
      - access_token: nonsense
`)
    expect(findings).toEqual([
      'world.yaml:3:5: clients[0].colour is not a known field',
      'world.yaml:6:9: clients[0].wallets[0].iso_currency_code must be one of: GBP, EUR',
      'world.yaml:7:9: clients[0].wallets[0].current must be at least 0',
      'world.yaml:9:9: clients[0].items[0].access_token must be an access token, which starts with "access-" and the environment',
    ])
  })

  test.each([
    [
      'what a new element lacks',
      'institutions: [{ institution_id: ins_1 }]',
      [
        'world.yaml:1:16: institutions[0].name is required',
        'world.yaml:1:16: institutions[0].products is required',
        'world.yaml:1:16: institutions[0].country_codes is required',
      ],
    ],
    [
      'an id that is missing',
      'clients:\n  - secret: s',
      ['world.yaml:2:5: clients[0].client_id is required'],
    ],
    [
      'a subtype of another type',
      item('accounts: [{ type: loan, subtype: savings, name: A }]'),
      ['world.yaml:5:34: clients[0].items[0].accounts[0].subtype must belong to the type loan'],
    ],
    [
      'an unknown institution',
      item('institution_id: ins_0'),
      ['world.yaml:5:9: clients[0].items[0].institution_id must name an institution of the world'],
    ],
    [
      'an unknown category',
      item(
        'accounts: [{ account_id: TSqdADmriVPByJEsmQ98pm2BwKC8okk2LbKVd, transactions: [{ date: -1 days, amount: 1, description: A, category: FUN }] }]',
      ),
      [
        'world.yaml:5:132: clients[0].items[0].accounts[0].transactions[0].category must be a known detailed category',
      ],
    ],
    [
      'a date that is none',
      item('created_at: yesterday'),
      [
        'world.yaml:5:9: clients[0].items[0].created_at must be a date-time such as 2026-03-09T15:20:00Z, or days from the start and a time, such as "-7 days 15:20"',
      ],
    ],
    [
      'money in parts of a cent',
      'clients:\n  - client_id: sandbox-client\n    wallets:\n      - wallet_id: wallet-id-sandbox-new\n        iso_currency_code: EUR\n        current: 1.005',
      ['world.yaml:6:9: clients[0].wallets[0].current must have at most two decimals'],
    ],
    [
      'a token of another environment',
      'clients:\n  - client_id: sandbox-client\n    items:\n      - access_token: access-production-00000000-0000-4000-8000-000000000001',
      [
        'world.yaml:4:9: clients[0].items[0].institution_id is required',
        'world.yaml:4:9: clients[0].items[0].access_token must be one of the environment sandbox',
      ],
    ],
    [
      'an id that stands twice',
      'clients: [{ client_id: a, secret: s }, { client_id: a, secret: s }]',
      ['world.yaml:1:40: clients[1].client_id stands twice in the list'],
    ],
    [
      'a removal of nothing',
      'institutions:\n  - { institution_id: ins_0, remove: true }',
      ['world.yaml:2:5: institutions[0].institution_id names nothing that could be removed'],
    ],
    [
      'a reference to what it removes',
      'institutions: [{ institution_id: ins_119001, remove: true }]',
      [
        expect.stringMatching(
          /^items-of-every-kind\.yaml:\d+:9: clients\[0\]\.items\[1\]\.institution_id must name/,
        ),
      ],
    ],
    [
      'an account of another Item twice',
      item(
        'accounts: [{ account_id: vN6mQkE3xDfRz8TyWb2GcJ5hLs9PaUo4KiXeC, type: other, subtype: null, name: A }]',
      ),
      [
        expect.stringMatching(
          /^items-of-every-kind\.yaml:\d+:13: .*\.account_id stands at another account of the client/,
        ),
      ],
    ],
    [
      'text that is no YAML',
      'clients: [',
      [
        'world.yaml:1:11: flow sequence in block collection must be sufficiently indented and end with a ]',
      ],
    ],
    ['a second document', 'seed: a\n---\nseed: b', ['world.yaml:2:1: a file holds one document']],
    [
      'an anchor that is not there',
      'clients: *all',
      ['world.yaml:1:1: clients names an anchor that is not there'],
    ],
    [
      'a list in place of the world',
      '- client_id: a',
      [
        'world.yaml:1:1: must be an object (fields: `$schema`, `seed`, `institutions`, `identity_verification_templates`, `clients`)',
      ],
    ],
    ['a mapping with a key twice', 'seed: a\nseed: b', ['world.yaml:2:1: map keys must be unique']],
  ])('reports %s', async (_, text, expected) => {
    expect(await findingsOf(text as string)).toEqual(expected)
  })

  test('is read from where it lies', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'world-'))
    const file = join(folder, 'mine.yaml')
    writeFileSync(file, 'seed: 5\n')
    const files = [...defaultSeedDataFiles(), readSeedDataFile(file)]
    await expect(readSeedData(files, 'sandbox')).rejects.toThrow(
      `${file}:1:1: seed must be a string`,
    )
    rmSync(folder, { recursive: true })
  })
})

/** A file that says one more thing of the ready Item. */
function item(line: string): string {
  return `clients:\n  - client_id: sandbox-client\n    items:\n      - access_token: ${ready}\n        ${line}\n`
}
