import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import { loadConnectors } from '../../src/institution-list/load-connectors.ts'
import { readListFile } from '../../src/server/boot/institution-list.ts'
import { readConnectors } from '../../src/server/boot/read-connectors.ts'

// Modules of connectors, as --connectors loads them.

let folder: string
beforeAll(() => {
  mkdirSync(join(root, '.cache'), { recursive: true })
  folder = mkdtempSync(join(root, '.cache/connectors-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

let written = 0

/** Writes a module; returns its path. */
function moduleOf(code: string): string {
  const path = join(folder, `module-${++written}.mjs`)
  writeFileSync(path, code)
  return path
}

const harbor = (more = '') => `{
  id: 'harbor', version: '1.0.0', keyVersion: 1, limits: {}, hosts: () => [],
  checkSettings: (settings) => settings.port > 0 ? [] : [{ path: 'port', message: 'must be above 0' }],
  authorize: async () => ({ kind: 'done', secret: 1 }), read: async function* () {}, ${more}
}`

async function mistakesOf(...modules: string[]): Promise<string[]> {
  const error = await readConnectors({ connectors: modules }).then(
    () => undefined,
    (reason: Error) => reason,
  )
  return (error?.message ?? '').replaceAll(`${folder}/`, './').split('\n')
}

const option = '--connectors (CONNECTORS)'

describe('a module', () => {
  test.each([
    ['as its default export', `export default ${harbor()}`],
    ['in the list `connectors`', `export const connectors = [${harbor()}]`],
  ])('exports a connector %s', async (_, code) => {
    expect([...(await loadConnectors([moduleOf(code)])).keys()]).toEqual(['harbor'])
  })

  test('may be a package of the folder of the service', async () => {
    expect(await mistakesOf('fastify')).toEqual([
      `${option}: fastify: default must be an object with the fields of a connector`,
    ])
  })

  test.each<[string, string, string]>([
    ['there is no file', './none.mjs', `${option}: ./none.mjs: there is no such file`],
    [
      'there is no package',
      'no-such-package-here',
      `${option}: no-such-package-here: there is no package of this name; the path of a file begins with ./`,
    ],
  ])('is named in the error where %s', async (_, name, message) => {
    expect(await mistakesOf(name)).toEqual([message])
  })

  test.each<[string, string, string[]]>([
    [
      'throws',
      "throw new TypeError('no harbor here')",
      ['the module cannot be loaded: TypeError: no harbor here'],
    ],
    [
      'is no JavaScript',
      'export default {',
      [expect.stringContaining('the module cannot be loaded: ')],
    ],
    [
      'exports nothing',
      'export const other = 1',
      [
        'the module must export a connector as its default export, or a list of connectors as `connectors`',
      ],
    ],
    ['has an empty list', 'export const connectors = []', ['the list of connectors is empty']],
    [
      'exports what is no object',
      'export default 5',
      ['default must be an object with the fields of a connector'],
    ],
    [
      'has wrong fields',
      `export const connectors = [{ ...${harbor()}, id: 'H', keyVersion: 0, read: 1,
        limits: { callsPerDay: 0, callsPerHour: 1 }, first: { kind: 'form', schema: { type: 'object', required: [], properties: { turn: { type: 'string' } } } },
        institutions: [{ institution_id: 'a b', name: '', country_codes: ['us'] }] }]`,
      [
        'connectors[0].id must be 2 to 32 small letters, digits and hyphens, of which the first is a letter',
        'connectors[0].keyVersion must be a whole number from 1',
        'connectors[0].limits.callsPerHour must be one of: minIntervalSeconds, callsPerDay, maxWindowDays, requestsPerCall',
        'connectors[0].limits.callsPerDay must be a whole number from 1 to 10000',
        'connectors[0].read must be a function',
        'connectors[0].first.schema.properties.turn must be a name of small letters, digits and underscores, not turn, another, file',
        'connectors[0].institutions[0].institution_id must be 1 to 64 letters, digits, underscores and hyphens',
        'connectors[0].institutions[0].name must be 1 to 256 characters, none of them a control character',
        'connectors[0].institutions[0].country_codes must be a list of codes of two capital letters, such as US',
      ],
    ],
    [
      'lists an institution of the service',
      `export default ${harbor("institutions: [{ institution_id: 'ins_100001', name: 'Harbor', country_codes: ['US'] }]")}`,
      ['the institution ins_100001 of the connector harbor is listed by the service too'],
    ],
    [
      'takes the id of another connector',
      `export default ${harbor("id: 'simplefin'")}`,
      ['the id simplefin is taken by a connector of the service'],
    ],
  ])('that %s is rejected with what was expected', async (_, code, mistakes) => {
    const path = moduleOf(code)
    const name = path.replace(`${folder}/`, './')
    const told = await mistakesOf(path)
    expect(told.map((line) => line.replace(`${option}: ${name}: `, ''))).toEqual(mistakes)
  })

  test('must not repeat the id of another module', async () => {
    const paths = [moduleOf(`export default ${harbor()}`), moduleOf(`export default ${harbor()}`)]
    const [first, second] = paths.map((path) => path.replace(`${folder}/`, './'))
    expect(await mistakesOf(...paths)).toEqual([
      `${option}: ${second}: the id harbor is taken by a connector of ${first}`,
    ])
  })
})

test('modules must not list the same institution', async () => {
  const institutions = "institutions: [{ institution_id: 'b', name: 'B', country_codes: ['US'] }]"
  const paths = [
    moduleOf(`export default ${harbor(institutions)}`),
    moduleOf(`export default ${harbor(`${institutions}, id: 'quay'`)}`),
  ]
  const [first, second] = paths.map((path) => path.replace(`${folder}/`, './'))
  expect(await mistakesOf(...paths)).toEqual([
    `${option}: ${second}: the institution b of the connector quay is listed by the connector harbor of ${first} too`,
  ])
})

test('a module whose top level does not end is named', async () => {
  const path = moduleOf('await new Promise(() => {})')
  await expect(loadConnectors([path], 50)).rejects.toThrow(
    `${path}: the module is not loaded after 0.05 seconds`,
  )
})

describe('a file of institutions', () => {
  const read = (connector: string, port: string, connectors: string[]) => {
    const file = join(folder, 'institutions.yaml')
    writeFileSync(
      file,
      `institutions:
  - institution_id: ins_harbor
    name: Harbor Quay Bank
    country_codes: [US]
    connector: ${connector}
    settings:
      port: ${port}
`,
    )
    return readListFile({ institutions: file, connectors }).catch(({ message }: Error) =>
      message.replaceAll(`${folder}/`, ''),
    )
  }

  test('may name a loaded connector, which checks its settings', async () => {
    const modules = [moduleOf(`export default ${harbor()}`)]
    const list = await read('harbor', '443', modules)
    expect(list).toMatchObject({ institutions: [{ connector: 'harbor', settings: { port: 443 } }] })
    expect(await read('harbor', '0', modules)).toBe(
      'institutions.yaml:7:7: institutions[0].settings.port must be above 0',
    )
  })

  test.each([
    ['throws', "() => { throw new TypeError('no') }", 'threw TypeError'],
    ['returns no list', "() => 'port'", 'must return a list of { path, message }'],
  ])('says so where `checkSettings` %s', async (_, code, what) => {
    const modules = [moduleOf(`export default ${harbor(`checkSettings: ${code}`)}`)]
    expect(await read('harbor', '1', modules)).toBe(
      `institutions.yaml:6:5: institutions[0].settings cannot be checked: \`checkSettings\` of the connector harbor (--connectors) ${what}`,
    )
  })

  test('may name no other one', async () => {
    expect(await read('harbor', '1', [])).toBe(
      'institutions.yaml:5:5: institutions[0].connector must be one of: file, simplefin, upstream (--connectors loads others)',
    )
  })
})
