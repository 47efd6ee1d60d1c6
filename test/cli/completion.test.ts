import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import { findCandidates } from '../../src/cli/candidates.ts'
import { commands, overview } from '../../src/cli/commands.ts'
import { attempt } from '../support/installed-package.ts'
import { openTypedClient, type TypedClient } from '../support/typed-client.ts'

let user: TypedClient
beforeAll(() => {
  user = openTypedClient()
})
afterAll(() => user.remove())

const wordsFor = async (...words: string[]): Promise<string[]> =>
  (await findCandidates(words)).map(({ word }) => word)

describe('candidates', () => {
  test('are all commands, each with the words of the overview', async () => {
    const found = await findCandidates([''])
    expect(found.map(({ word }) => word)).toEqual(Object.keys(commands))
    for (const { word, about } of found) {
      expect(overview).toMatch(new RegExp(`^ {2}${word} {2,}\\S`, 'm'))
      expect(about).not.toBe('')
    }
  })

  test.each(Object.keys(commands))('of %s are flags of its help', async (name) => {
    const { help } = await commands[name]!()
    const flags = await wordsFor(name, '--')
    expect(flags).not.toEqual([])
    for (const flag of flags) expect(help).toContain(flag)
  })

  test.each([
    [
      ['item', ''],
      ['list', 'show', 'refresh', 'remove', 'access-token'],
    ],
    [['client', 'key'], []],
    [['logs', ''], ['tail']],
    [['events', 'r'], ['resend']],
    [['trigger', 'ITEM.E'], ['ITEM.ERROR']],
    [['listen', '--events', 'LINK'], ['LINK.SESSION_FINISHED']],
    [['logs', 'tail', '--operation', 'walletG'], ['walletGet']],
    [['validate', 'walletG'], ['walletGet']],
    [['conform', '--version', '2018'], ['2018-05-22']],
    [['open', 'ITEM_LOCK'], ['ITEM_LOCKED']],
    [['listen', '--forward-to', ''], []],
    [['unknown', ''], []],
    [['serve', '--po'], ['--port']],
  ])('after %j are %j', async (words, expected) => {
    expect(await wordsFor(...words)).toEqual(expected)
  })
})

describe('the script for bash', () => {
  test('completes what is typed, also the names of profiles', async () => {
    const bin = join(user.folder, 'bin')
    const config = join(user.folder, 'config/financial-data-service')
    for (const folder of [bin, config]) mkdirSync(folder, { recursive: true })
    const program = `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'src/cli/main.ts')}' "$@"\n`
    writeFileSync(join(bin, 'financial-data-service'), program, { mode: 0o755 })
    const profile = { base: 'http://127.0.0.1:1', client_id: 'a', secret: 'hidden' }
    const profiles = ['work', '$(touch run)'].map((name) => ({ ...profile, name }))
    writeFileSync(join(config, 'profiles.json'), JSON.stringify({ profiles }), { mode: 0o600 })
    const { stdout: script } = await user.command(['completion', 'bash'])
    const completes = async (...words: string[]) => {
      const typed = ['financial-data-service', ...words].map((word) => `'${word}'`).join(' ')
      const lines = [script, `COMP_WORDS=(${typed})`, `COMP_CWORD=${words.length}`]
      const run = [...lines, '_financial_data_service', `printf "%s\\n" "\${COMPREPLY[@]}"`]
      const env = { ...user.env, PATH: `${bin}:${user.env['PATH']}` }
      const { stdout } = await attempt('bash', ['-c', run.join('\n')], { cwd: user.folder, env })
      return stdout.trim().split('\n')
    }
    expect(await completes('tri')).toEqual(['trigger'])
    expect(await completes('trigger', '--profile', '')).toEqual(['work'])
    expect(await completes('trigger', '--se')).toEqual(['--set'])
  })
})
