import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import { attempt } from '../support/installed-package.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'institutions-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const main = join(root, 'src/cli/main.ts')

/** Checks a file with this content. */
function check(content: string, ...more: string[]) {
  writeFileSync(join(folder, 'i.yaml'), content)
  return attempt(process.execPath, [main, 'institutions', 'check', 'i.yaml', ...more], {
    cwd: folder,
  })
}

const file = `institutions:
  - institution_id: ins_bridge
    name: Our bridge
    country_codes: [DE, US]
    connector: simplefin
    settings: { hosts: ['env:NO_SUCH_BRIDGE'] }
`
const reference = {
  line: 6,
  column: 25,
  path: 'institutions[0].settings.hosts[0]',
  message: 'names the environment variable NO_SUCH_BRIDGE, which is not set',
}

describe('institutions check', () => {
  test('prints what is listed, and tells of references and connectors', async () => {
    const { code, stdout, stderr } = await check(file)
    expect([code, stdout]).toEqual([
      0,
      `INSTITUTION ID  NAME        COUNTRIES  PRODUCTS             CONNECTOR
ins_bridge      Our bridge  DE,US      assets,transactions  simplefin
valid: 1 listed, and 2 built-in
`,
    ])
    expect(stderr).toBe(`i.yaml:6:25: ${reference.path} ${reference.message}\n`)
  })

  test('ends although a module of connectors began something that does not', async () => {
    const text = `setInterval(() => {}, 1000)
export default {
  id: 'lantern', version: '1', keyVersion: 1, limits: {}, hosts: () => [],
  authorize() {}, async *read() {},
}
`
    writeFileSync(join(folder, 'lantern.mjs'), text)
    const own = file.replace('simplefin', 'lantern')
    const { code, stdout } = await check(own, '--connectors', './lantern.mjs')
    expect([code, stdout]).toEqual([0, expect.stringContaining('valid: 1 listed')])
  })

  test('says that a module of connectors has ended the process', async () => {
    writeFileSync(join(folder, 'exits.mjs'), 'process.exit(0)\n')
    const { code, stderr } = await check(file, '--connectors', './exits.mjs')
    const message = './exits.mjs: the module ended the process while it was loaded\n'
    expect([code, stderr]).toEqual([1, message])
  })

  test('prints the same for programs', async () => {
    const { code, stdout, stderr } = await check(file, '--json')
    expect([code, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toEqual({
      valid: true,
      institutions: [
        {
          institution_id: 'ins_bridge',
          name: 'Our bridge',
          country_codes: ['DE', 'US'],
          products: ['assets', 'transactions'],
          connector: 'simplefin',
          settings: { hosts: ['env:NO_SUCH_BRIDGE'] },
          logo: false,
        },
      ],
      built_in: true,
      issues: [],
      notes: [reference],
    })
  })

  test('ends with 1 and a line for each mistake', async () => {
    const wrong = file.replace('DE, US', 'XX').replace('name:', 'title:')
    const { code, stdout, stderr } = await check(wrong)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr.trim().split('\n')).toEqual([
      'i.yaml:2:5: institutions[0].name is required',
      'i.yaml:3:5: institutions[0].title is not a known key',
      expect.stringMatching(/^i.yaml:4:21: institutions\[0\].country_codes\[0\] must be one of: /),
    ])
    const { code: again, stdout: json } = await check(wrong, '--json')
    expect(again).toBe(1)
    expect(JSON.parse(json)).toMatchObject({
      valid: false,
      issues: [{ line: 2 }, { line: 3 }, { line: 4, column: 21 }],
    })
  })
})
