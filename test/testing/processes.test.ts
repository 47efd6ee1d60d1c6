import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'

const run = promisify(execFile)
const entry = join(root, 'src/testing/index.ts')
const ready = 'access-sandbox-00000000-0000-4000-8000-000000000001'

/** Each process loads the sources itself. */
const patience = 120_000

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'testing-'))
})

afterAll(() => rmSync(folder, { recursive: true }))

/** Runs a program in a process of its own, which has to end by itself. */
async function runProgram(name: string, text: string, args: string[] = []) {
  const file = join(folder, name)
  writeFileSync(file, text.replaceAll('financial-data-service/testing', entry))
  const env = { ...process.env, TMPDIR: folder, NODE_OPTIONS: '' }
  const { stdout } = await run(process.execPath, [...args, file], { env, timeout: patience })
  return stdout
}

const images = () => {
  const found = readdirSync(folder).find((name) => name.startsWith('financial-data-service-'))
  return readdirSync(join(folder, found ?? '')).map((name) => join(folder, found ?? '', name))
}

const program = `
  import { startService } from 'financial-data-service/testing'
  const before = process.getActiveResourcesInfo()
  const signals = () => ['SIGINT', 'SIGTERM', 'exit', 'uncaughtException'].map((name) => process.listenerCount(name))
  const heard = signals()
  const service = await startService()
  await using inbox = await service.inbox()
  const { accounts } = await service.client.accountsGet({ access_token: '${ready}' }).orThrow()
  const { added } = await service.client.transactionsSync({ access_token: '${ready}', count: 500 }).orThrow()
  inbox.answer({ hang: true })
  const { access_token } = await service.linkItem({ webhook: inbox.url, settled: false })
  const told = JSON.stringify(signals()) === JSON.stringify(heard)
  await service.close()
  console.log(JSON.stringify({ told, accounts, added }).replaceAll(service.url, ''))
`

describe('processes with a service', () => {
  let worlds: string[]

  beforeAll(async () => {
    worlds = await Promise.all([runProgram('one.ts', program), runProgram('two.ts', program)])
  }, patience)

  test('end by themselves once it is closed, and hear no signals', () => {
    expect(worlds.map((world) => JSON.parse(world).told)).toEqual([true, true])
  })

  test('have the same seed data when they make it concurrently', () => {
    expect(worlds[1]).toBe(worlds[0])
    expect(images()).toHaveLength(1)
  })

  test('have the same seed data when another process has stored it', {
    timeout: patience,
  }, async () => {
    const [image = ''] = images()
    const made = statSync(image).mtimeMs
    expect(await runProgram('three.ts', program)).toBe(worlds[0])
    expect(statSync(image).mtimeMs).toBe(made)
  })
})

describe('a test runner', () => {
  test('of Node runs tests with it', { timeout: patience }, async () => {
    const text = `
      import assert from 'node:assert'
      import { after, before, beforeEach, test } from 'node:test'
      import { startService } from 'financial-data-service/testing'
      const service = await startService()
      const fresh = await service.snapshot()
      beforeEach(() => service.restore(fresh))
      after(() => service.close())
      for (const name of ['one', 'two']) test(name, async () => {
        const { wallets } = await service.client.walletList({}).orThrow()
        await service.client.walletCreate({ iso_currency_code: 'EUR' }).orThrow()
        assert.equal(wallets.length, 4)
      })
    `
    const output = await runProgram('node.test.ts', text, ['--test', '--test-reporter=tap'])
    expect(output).toContain('# pass 2')
    expect(output).toContain('# fail 0')
  })
})
