import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import { openSqlite } from '../../src/server/db/sqlite.ts'
import { createKeys } from '../../src/server/kernel/keys.ts'
import { freePort } from '../support/free-port.ts'
import { startWorld, type TestService } from '../support/service.ts'
import { openShell, type Shell } from '../support/shell.ts'

// "The first five minutes" of the README, typed into a shell as they stand there.

const folder = mkdtempSync(join(tmpdir(), 'first-minutes-'))
const keys = createKeys(randomBytes(32))
let service: TestService
let port = 0
let shell: Shell

/** Starts the service on the same data, and on the same port once it has one. */
async function start(): Promise<void> {
  service = await startWorld({ database: openSqlite(join(folder, 'service.sqlite')), keys })
  const address = await service.app.listen({ port, host: '127.0.0.1' })
  port = Number(new URL(address).port)
}

beforeAll(async () => {
  await start()
  shell = openShell(folder)
})
afterAll(async () => {
  await shell.close()
  await service.close()
  rmSync(folder, { recursive: true })
})

/** Runs a block, and returns what it printed. */
const type = async (block: string): Promise<string> => (await shell.type(block)).output

/** Whether something answers there. */
const isListening = (on: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${on}`).then(
    () => true,
    () => false,
  )

test('the first five minutes of the README go as it says', async () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const [, section = ''] = readme.match(/^## The first five minutes\n(.*?)^## /ms) ?? []
  const receiver = await freePort()
  const blocks = [...section.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) =>
    block.replaceAll(/\b400[01]\b/g, (name) => String(name === '4000' ? port : receiver)),
  )
  const [helpers, receive, link, read, advance, again] = blocks as [string, ...string[]]
  expect(blocks).toHaveLength(6)
  const received = join(folder, 'webhooks')
  // In a file of its own, where it cannot get into the midst of an answer.
  for (const block of [helpers, receive?.replace(/&$/m, `> ${received} &`)]) {
    expect(await type(block ?? '')).toBe('')
  }
  await expect.poll(() => isListening(receiver), { timeout: 10_000 }).toBe(true)
  expect(await type(link ?? '')).toBe('')
  await expect
    .poll(() => readFileSync(received, 'utf8'), { timeout: 10_000 })
    .toContain('HISTORICAL_UPDATE')

  const first = await type(read!)
  expect(JSON.parse(first)).toMatchObject({ has_more: true })
  expect(JSON.parse(first).added).toHaveLength(3)

  const month = await type(advance!)
  expect(month).toMatch(/^\{"now":.*\n\[\n {2}'\d{4}-\d\d-\d\d {2}-?\d+/)
  await expect
    .poll(() => readFileSync(received, 'utf8'), { timeout: 10_000 })
    .toContain('SYNC_UPDATES_AVAILABLE')

  await service.close()
  await start()
  expect(Number(await type(again!))).toBeGreaterThan(3)
})
