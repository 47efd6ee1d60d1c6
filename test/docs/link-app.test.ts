import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import { freePort } from '../support/free-port.ts'
import { createVisitor, type Visitor, valuesOf } from '../support/link-visitor.ts'
import { startWorld } from '../support/service.ts'
import { fromSources, snippetsOf } from '../support/snippets.ts'

// The example app of the guide, as it stands there, in a process of its own.

const snippets = snippetsOf('src/docs/guides/02-run-an-example-app.md', 'ts')

let service: Awaited<ReturnType<typeof startWorld>>
let folder: string
let app: string
let child: ChildProcess
let printed = ''

beforeAll(async () => {
  let own = ''
  service = await startWorld({ publicUrl: () => own })
  own = await service.app.listen({ port: 0, host: '127.0.0.1' })
  mkdirSync(join(root, '.cache'), { recursive: true })
  folder = mkdtempSync(join(root, '.cache/link-app-'))
  const port = await freePort()
  for (const { name = '', code } of snippets) {
    const local = fromSources(code)
      .replaceAll('http://127.0.0.1:4000', own)
      .replaceAll(/\b4003\b/g, String(port))
    writeFileSync(join(folder, name), local)
  }
  const host = join(root, 'test/support/receiver-host.ts')
  child = fork(host, [join(folder, 'link-app.ts')], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  child.stdout?.on('data', (text: Buffer) => {
    printed += text.toString()
  })
  expect(await once(child, 'message')).toEqual(['listening', undefined])
  app = `http://127.0.0.1:${port}`
})
afterAll(async () => {
  const exit = once(child, 'exit')
  child.kill()
  await exit
  rmSync(folder, { recursive: true })
  await service.close()
})

const post = async (path: string) => (await fetch(`${app}${path}`, { method: 'POST' })).json()
const items = async () => (await fetch(`${app}/items`)).json()

async function open(visitor: Visitor, path: string): Promise<void> {
  const { url } = (await post(path)) as { url: string }
  await visitor.open(new URL(url).pathname)
}

test('the example app has at most 150 lines', () => {
  const lines = snippets.reduce((sum, { code }) => sum + code.trimEnd().split('\n').length, 0)
  expect([snippets.length, lines <= 150]).toEqual([2, true])
})

test('the example app links, exchanges, copies and repairs', async () => {
  expect(await (await fetch(app)).text()).toContain('/link/v1/link.js')
  const visitor = createVisitor(service)
  await open(visitor, '/link')
  await visitor.send()
  await visitor.send({ institution_id: 'ins_109508' })
  const accounts = await visitor.send({ username: 'user_good', password: 'any' })
  const done = await visitor.send({ account: valuesOf(accounts, 'account') })
  expect(done.heading).toBe('Your accounts are connected')
  const linked = { id: expect.any(String), transactions: expect.any(Number), needsLogin: false }
  await expect.poll(items).toEqual([linked])
  await expect.poll(async () => (await items())[0].transactions).toBeGreaterThan(0)
  const [, id, access_token = ''] = /linked (\S+) (\S+)/.exec(printed) ?? []
  await service.client.control('sandboxItemResetLogin', { access_token })
  await expect.poll(items).toEqual([{ ...linked, id, needsLogin: true }])
  await open(visitor, `/items/${id}/repair`)
  const repaired = await visitor.send({ username: 'user_good', password: 'any' })
  expect(repaired.heading).toBe('Your connection works again')
  await expect.poll(items).toEqual([{ ...linked, id }])
  expect((await fetch(`${app}/webhooks`, { method: 'POST', body: '{}' })).status).toBe(400)
})
