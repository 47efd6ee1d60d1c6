import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '../../src/server/http/app.ts'

let folder: string
let app: FastifyInstance
let port: number
const faults: unknown[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'docs-'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Docs</title>')
  mkdirSync(join(folder, 'guides'))
  writeFileSync(join(folder, 'guides/index.html'), '<!doctype html><title>Guides</title>')
  writeFileSync(join(folder, 'guides.md'), '# Guides')
  writeFileSync(join(folder, '404.html'), '<!doctype html><title>Not found</title>')
  writeFileSync(join(folder, 'large.json'), JSON.stringify('x'.repeat(1_000_000)))
  app = await createApp({
    answer: () => Promise.reject(new Error('no operation is asked for')),
    newRequestId: () => 'request',
    onFault: (error) => faults.push(error),
    publicUrl: () => 'http://docs.example',
    docs: folder,
  })
  port = Number(new URL(await app.listenWidely({ host: '127.0.0.1', port: 0 })).port)
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

const paths = ['/docs/', '/docs/large.json', '/docs/guides/', '/docs/guides']

/** Asks for some pages at once, and leaves: at once, a turn later, or with the first of them. */
async function leave(index: number): Promise<void> {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await new Promise((resolve) => socket.once('connect', resolve))
  for (let page = 0; page <= index % 3; page += 1) {
    socket.write(`GET ${paths[(index + page) % paths.length]} HTTP/1.1\r\nHost: docs\r\n\r\n`)
  }
  if (index % 4 === 0) socket.once('data', () => socket.resetAndDestroy())
  else {
    for (let turn = 0; turn < index % 4; turn += 1) await nextTurn()
    socket.destroy()
  }
  await closed
}

test('readers who leave before they have their pages are no fault of ours', async () => {
  for (let index = 0; index < 400; index += 10) {
    await Promise.all(Array.from({ length: 10 }, (_, more) => leave(index + more)))
  }
  expect(faults).toEqual([])
})

test('a page comes as it is, and again only if it has changed', async () => {
  const url = `http://127.0.0.1:${port}/docs/`
  const page = await fetch(url)
  expect([page.status, page.headers.get('content-type'), await page.text()]).toEqual([
    200,
    'text/html; charset=utf-8',
    '<!doctype html><title>Docs</title>',
  ])
  const known = { 'If-None-Match': page.headers.get('etag') ?? '', 'Cache-Control': 'max-age=0' }
  const again = await fetch(url, { headers: known })
  expect(again.status).toBe(304)
  const head = await fetch(url, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length')]).toEqual([200, '34'])
})

test('a folder is redirected to its page, and what is not there is not found', async () => {
  const answer = (path: string) =>
    fetch(`http://127.0.0.1:${port}/docs${path}`, { redirect: 'manual' })
  const folderless = await answer('/guides?from=here')
  expect([folderless.status, folderless.headers.get('location')]).toEqual([
    301,
    '/docs/guides/?from=here',
  ])
  const twin = await answer('/guides/index.md')
  expect([twin.status, twin.headers.get('location')]).toEqual([301, '/docs/guides.md'])
  expect(await (await fetch(`http://127.0.0.1:${port}/docs/guides/index.md`)).text()).toBe(
    '# Guides',
  )
  for (const path of [
    '/none/index.md',
    '/../index.md',
    '/none',
    '/none/',
    '/%00',
    '/..%2f..%2fpackage.json',
    '//',
    '/.hidden',
  ]) {
    expect([path, (await answer(path)).status]).toEqual([path, 404])
  }
})

test('a browser gets a page for an address that leads nowhere, and a program gets JSON', async () => {
  const answer = async (accept: string, method = 'GET') => {
    const url = `http://127.0.0.1:${port}/docs/none`
    const { status, headers, ...rest } = await fetch(url, { method, headers: { accept } }).then(
      async (response) => ({
        status: response.status,
        headers: response.headers,
        text: await response.text(),
      }),
    )
    return [status, headers.get('content-type'), rest.text]
  }
  const browser = 'text/html,application/xhtml+xml,*/*;q=0.8'
  const html = 'text/html; charset=utf-8'
  expect(await answer(browser)).toEqual([404, html, '<!doctype html><title>Not found</title>'])
  expect(await answer(browser, 'HEAD')).toEqual([404, html, ''])
  const json = [404, 'application/json; charset=utf-8', expect.stringContaining('"NOT_FOUND"')]
  expect(await answer('*/*')).toEqual(json)
  expect(await answer('application/json')).toEqual(json)
})
