import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { CountryCode } from '#contract/enums.ts'
import { institutionsSchemaFile } from '../../scripts/generate/institutions-schema.ts'
import { builtInInstitutions } from '../../src/institution-list/built-in.ts'
import { ownConnectors } from '../../src/institution-list/connectors.ts'
import { readInstitutions } from '../../src/institution-list/read-institutions.ts'
import { drawImage } from '../../src/server/kernel/draw-image.ts'
import { resolveSettings } from '../../src/server/sources/resolve-settings.ts'
import { statementFormats } from '../../src/statements/statement.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'institutions-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

type Environment = Record<string, string>

const read = (content: string | Uint8Array, environment: Environment = {}) =>
  readInstitutions(join(folder, 'i.yaml'), Buffer.from(content), environment)

/** What is said of a wrong file, line by line, without its folder. */
async function mistakesOf(content: string | Uint8Array, environment?: Environment) {
  const error = await read(content, environment).then(
    () => undefined,
    (reason: Error) => reason,
  )
  return (error?.message ?? '').replaceAll(`${folder}/`, '').split('\n')
}

const entry = `  - institution_id: ins_harbor
    name: Harbor Quay Bank
    country_codes: [DE, 'NO']
    connector: file
`
const file = `institutions:\n${entry}`
const bridge = file.replace('connector: file', 'connector: simplefin')

describe('a file of institutions', () => {
  test('has an entry that gets the products of its connector', async () => {
    expect(await read(file)).toEqual({
      institutions: [
        {
          institution_id: 'ins_harbor',
          name: 'Harbor Quay Bank',
          country_codes: ['DE', 'NO'],
          products: ['assets', 'transactions'],
          connector: 'file',
          settings: {},
        },
      ],
      builtIn: true,
      unresolved: [],
    })
  })

  test.each([
    ['a mark at its beginning', `\ufeff${file}`],
    ['lines that end as on Windows', file.replaceAll('\n', '\r\n')],
    ['JSON in place of YAML', JSON.stringify(parse(file), null, '\t')],
  ])('may have %s', async (_, text) => {
    expect(await read(text)).toEqual(await read(file))
  })

  test('may be empty of institutions, and leave the built-in ones out', async () => {
    const { institutions, builtIn } = await read('built_in: false\ninstitutions: []')
    expect([institutions, builtIn]).toEqual([[], false])
  })

  test.each<[string, string | Uint8Array, string[]]>([
    ['is empty', '', ['i.yaml:1:1: institutions is required']],
    [
      'is indented by tabs',
      'institutions:\n\t- {}',
      ['i.yaml:2:1: tabs are not allowed as indentation'],
    ],
    [
      'is in UTF-16',
      Buffer.from(`\ufeff${file}`, 'utf16le'),
      ['i.yaml:1:1: the file must be in UTF-8'],
    ],
    [
      'is too large',
      Buffer.alloc(33 * 2 ** 20, ' '),
      ['i.yaml:1:1: the file must be at most 32 MB'],
    ],
    [
      'lacks what it needs',
      'institutions:\n  - name: A\n',
      [
        'i.yaml:2:5: institutions[0].institution_id is required',
        'i.yaml:2:5: institutions[0].country_codes is required',
        'i.yaml:2:5: institutions[0].connector is required',
      ],
    ],
    [
      'has unknown keys and values',
      file
        .replace('DE', 'XX')
        .replace('connector: file', 'connector: Fil\n    primary_colour: red'),
      [
        `i.yaml:4:21: institutions[0].country_codes[0] must be one of: ${CountryCode.join(', ')}`,
        'i.yaml:5:5: institutions[0].connector must be file, simplefin, upstream, or the id of a loaded connector',
        'i.yaml:6:5: institutions[0].primary_colour is not a known key; did you mean institutions[0].primary_color?',
      ],
    ],
    [
      'names a connector that is not there',
      file.replace('connector: file', 'connector: fil'),
      [
        'i.yaml:5:5: institutions[0].connector must be one of: file, simplefin, upstream (--connectors loads others)',
      ],
    ],
    [
      'has products that no connector gives',
      `${file}    products: [auth]\n`,
      ['i.yaml:6:16: institutions[0].products[0] must be one of: assets, transactions'],
    ],
    [
      'leaves transactions out',
      `${file}    products: [assets]\n`,
      ['i.yaml:6:5: institutions[0].products must name transactions'],
    ],
    [
      'has an id twice',
      file + entry,
      ['i.yaml:6:5: institutions[1].institution_id stands in line 2, too'],
    ],
    [
      'has a name that steers a terminal',
      file.replace('Harbor Quay Bank', '"a\\e[2Jb"'),
      ['i.yaml:3:5: institutions[0].name must have no control characters'],
    ],
    [
      'has a color without quotes',
      `${file}    primary_color: #0f6b5c\n`,
      [
        'i.yaml:6:5: institutions[0].primary_color must be a string: a color as # and six hexadecimal digits in quotes, such as "#0f6b5c"',
      ],
    ],
    [
      'has settings that its connector lacks',
      `${file}    settings: { formats: [qif], token: a-secret }\n`,
      [
        `i.yaml:6:27: institutions[0].settings.formats[0] must be one of: ${statementFormats.join(', ')}`,
        'i.yaml:6:33: institutions[0].settings.token is not a known key',
      ],
    ],
    [
      'lacks the settings of its connector',
      bridge,
      ['i.yaml:2:5: institutions[0].settings.hosts is required'],
    ],
    [
      'has no time zone in the place of one',
      `${bridge}    settings: { hosts: [a.example], time_zone: Mars }\n`,
      [
        'i.yaml:6:37: institutions[0].settings.time_zone must be a time zone such as America/New_York or UTC',
      ],
    ],
  ])('that %s is told by line', async (_, text, expected) => {
    expect(await mistakesOf(text)).toEqual(expected)
  })
})

describe('a logo', () => {
  const png = (size: number) => Buffer.from(drawImage('a', size, size))
  const withLogo = (logo: string) => `${file}    logo: ${logo}\n`
  beforeAll(() => {
    mkdirSync(join(folder, 'logos'))
    writeFileSync(join(folder, 'logos/small.png'), png(64))
    writeFileSync(join(folder, 'logos/right.png'), png(152))
    writeFileSync(join(folder, 'logos/text.png'), 'not an image')
    writeFileSync(join(folder, 'logos/cut.png'), png(152).subarray(0, 60))
    writeFileSync(join(folder, 'logos/large.png'), Buffer.alloc(65_537))
  })

  test('is a PNG file beside the list, or the image itself', async () => {
    const image = png(152).toString('base64')
    const lines = image.replaceAll(/.{20}/g, '$&\n      ')
    for (const logo of ['logos/right.png', image, `>\n      ${lines}`]) {
      const { institutions } = await read(withLogo(logo))
      expect(institutions[0]?.logo).toBe(image)
    }
  })

  test.each([
    ['logos/small.png', 'must have 152 by 152 pixels, and has 64 by 64'],
    ['logos/text.png', 'must be a PNG image'],
    ['logos/cut.png', 'must be a whole PNG image'],
    ['logos/large.png', 'must be at most 64 KiB'],
    ['logos/none.png', 'names the file logos/none.png, which cannot be read (ENOENT)'],
    ['AAAA', 'must be a PNG image'],
    ['a.svg', 'must be the path of a file that ends with .png, or a PNG image in Base64'],
  ])('that is %s is rejected', async (logo, message) => {
    expect(await mistakesOf(withLogo(logo))).toEqual([
      `i.yaml:6:5: institutions[0].logo ${message}`,
    ])
  })
})

describe('a reference in settings', () => {
  const withHost = (host: string) => `${bridge}    settings: { hosts: ['${host}'] }\n`

  test('stays in the list, and what it stands for is checked', async () => {
    writeFileSync(join(folder, 'host'), 'bridge.example\n')
    writeFileSync(join(folder, 'empty'), '\n')
    for (const [host, kept] of [
      ['env:BRIDGE', 'env:BRIDGE'],
      // Whole, so that a service that runs elsewhere finds the same file.
      ['file:host', `file:${join(folder, 'host')}`],
      [`file:${join(folder, 'host')}`, `file:${join(folder, 'host')}`],
    ] as const) {
      const list = await read(withHost(host), { BRIDGE: 'bridge.example' })
      expect(list).toMatchObject({
        institutions: [{ settings: { hosts: [kept] } }],
        unresolved: [],
      })
      process.env['BRIDGE'] = 'bridge.example'
      const resolved = await resolveSettings(list.institutions[0]?.settings)
      expect(resolved).toEqual({ hosts: ['bridge.example'] })
      delete process.env['BRIDGE']
    }
    const [line = '', ...others] = await mistakesOf(withHost('env:BRIDGE'), { BRIDGE: 'S3CRET' })
    expect(line).toContain('i.yaml:6:25: institutions[0].settings.hosts[0] must be a host')
    expect([others, line.includes('S3CRET')]).toEqual([[], false])
  })

  test.each([
    ['env:BRIDGE', 'names the environment variable BRIDGE, which is not set'],
    ['file:none', 'names the file none, which cannot be read (ENOENT)'],
    ['file:/dev/zero', 'names /dev/zero, which is not a regular file'],
    ['file:.', 'names ., which is not a regular file'],
    ['file:empty', 'names the file empty, which is empty'],
  ])('to nothing is told apart from mistakes: %s', async (host, message) => {
    const { unresolved } = await read(withHost(host))
    const path = 'institutions[0].settings.hosts[0]'
    expect(unresolved).toMatchObject([{ place: { line: 6, column: 25 }, path, message }])
  })
})

test('the built-in institutions have the products and settings of their connectors', () => {
  for (const { connector, products, settings } of builtInInstitutions) {
    expect(products).toEqual(ownConnectors.get(connector)?.products)
    expect(ownConnectors.get(connector)?.issues(settings)).toEqual([])
  }
})

test('the schema for editors accepts what is accepted, with the settings of each connector', () => {
  const schema = JSON.parse(readFileSync(institutionsSchemaFile, 'utf8'))
  const check = new Ajv2020({ strict: false }).compile(schema)
  const accepts = (text: string) => check(parse(text))
  const good = [file, `${bridge}    settings: { hosts: ['env:A'] }`, 'institutions: []']
  expect(good.map(accepts)).toEqual([true, true, true])
  const bad = [bridge, `${file}    settings: { hosts: [a.example] }`, `${file}    color: red`]
  expect(bad.map(accepts)).toEqual([false, false, false])
})

describe('aliases of YAML', () => {
  const line = (name: string, before: string) =>
    `${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`)}]\n`
  const names = ['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']

  test('that stand for a billion nodes are one mistake', async () => {
    const bomb = names.map((name, index) =>
      line(name, index === 0 ? 'a' : (names[index - 1] ?? '')),
    )
    expect(await mistakesOf(`a: &a x\n${bomb.join('')}institutions: *j\n`)).toEqual([
      expect.stringMatching(/^i\.yaml:\d+:\d+: \S+ has aliases for more than 100000 nodes$/),
    ])
  })

  test('that stand for themselves end', async () => {
    const [first = ''] = await mistakesOf('institutions: &a [*a]\n')
    expect(first).toMatch(/must be nested at most 40 levels deep$/)
  })

  test('stand for the last node before them that has their name', async () => {
    const list = await read(`institutions:
  - &x { institution_id: ins_a, name: &name First, country_codes: &c [DE], connector: file }
  - { institution_id: ins_b, name: *name, country_codes: *c, connector: file }
  - { institution_id: ins_c, name: &name Second, country_codes: *c, connector: file }
  - { institution_id: ins_d, name: *name, country_codes: *c, connector: file }
`)
    expect(list.institutions.map(({ name }) => name)).toEqual([
      'First',
      'First',
      'Second',
      'Second',
    ])
    expect(await mistakesOf('institutions: *none\n')).toEqual([
      expect.stringContaining('names an anchor that is not there'),
    ])
  })

  test('and lists that are nested without end are one kind of mistake', async () => {
    const lines = await mistakesOf(`institutions: ${'['.repeat(100_000)}${']'.repeat(100_000)}\n`)
    expect(lines[0]).toMatch(/must be nested at most 40 levels deep$/)
    expect(lines.join()).not.toContain('stack')
  })
})
