import * as zlib from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { answering, closeOpened, get, type Handler, openBefore, wallet } from '../support/proxy.ts'

afterEach(closeOpened)

// Node 20 has none.
const hasZstd = 'zstdCompressSync' in zlib

describe('the answer of an operation is checked as', () => {
  const types = ['text/html', 'image/png', 'application/octet-stream', 'text/event-stream']
  test.each(types)('%s', async (type) => {
    const page = answering('<h1>Bad gateway</h1>', { 'Content-Type': `${type}; charset=utf-8` })
    const usual = await openBefore(page)
    expect((await get(usual.url)).headers.get('contract-check')).toBe('broken')
    const fields = usual.told[0]?.findings.map(({ field }) => field)
    expect(fields).toEqual(['header Content-Type', ''])
    const enforced = await openBefore(page, { enforce: true })
    const response = await get(enforced.url)
    expect(response.status).toBe(502)
    expect(await response.text()).not.toContain('Bad gateway')
  })
})

test('a page that is no operation passes as it is', async () => {
  const { url, told } = await openBefore(answering('<p>', { 'Content-Type': 'text/html' }), {
    enforce: true,
  })
  const response = await fetch(`${url}/docs`)
  expect(response.status).toBe(200)
  expect(await response.text()).toBe('<p>')
  expect(told).toEqual([])
})

describe('a compressed answer', () => {
  const plain = Buffer.from(JSON.stringify(wallet))

  /** What the proxy says of an answer. */
  async function check(coding: string, bytes: Buffer, mostBytes = 1_000_000): Promise<unknown> {
    const handler = answering(bytes, { 'Content-Encoding': coding })
    const { url } = await openBefore(handler, { enforce: true, mostBytes })
    const { status, headers } = await get(url)
    return [status, headers.get('contract-check')]
  }

  const codings: [string, Buffer][] = [
    ['GZIP', zlib.gzipSync(plain)],
    ['x-gzip', zlib.gzipSync(plain)],
    ['gzip, br', zlib.brotliCompressSync(zlib.gzipSync(plain))],
    ['identity', plain],
    ['deflate', zlib.deflateSync(plain)],
    ['deflate', zlib.deflateRawSync(plain)],
  ]
  test.each(codings)('as %s is valid', async (coding, bytes) => {
    expect(await check(coding, bytes)).toEqual([200, 'valid'])
  })

  test('as zstd is valid where Node knows it', async () => {
    const bytes = hasZstd ? zlib.zstdCompressSync(plain) : plain
    expect(await check('zstd', bytes)).toEqual([200, hasZstd ? 'valid' : 'unchecked'])
  })

  test('in an unknown coding, or in too many, is unchecked', async () => {
    expect(await check('dcb', plain)).toEqual([200, 'unchecked'])
    expect(await check('constructor', plain)).toEqual([200, 'unchecked'])
    expect(await check('gzip, gzip, gzip, gzip, gzip', plain)).toEqual([200, 'unchecked'])
  })

  test('that unpacks to more than is checked is unchecked', async () => {
    const large = Buffer.from(JSON.stringify({ ...wallet, padding: 'x'.repeat(100_000) }))
    const packed: [string, Buffer][] = [
      ['gzip', zlib.gzipSync(large)],
      ['br', zlib.brotliCompressSync(large)],
      ['deflate', zlib.deflateSync(large)],
      ['deflate', zlib.deflateRawSync(large)],
    ]
    if (hasZstd) packed.push(['zstd', zlib.zstdCompressSync(large)])
    for (const [coding, bytes] of packed) {
      expect(await check(coding, bytes, 10_000)).toEqual([200, 'unchecked'])
    }
  })

  test('that is not what its coding says is broken', async () => {
    for (const coding of ['gzip', 'br', 'deflate', 'zstd']) {
      if (coding === 'zstd' && !hasZstd) continue
      expect(await check(coding, Buffer.from('no such thing'))).toEqual([502, 'broken'])
    }
  })

  test('leaves the findings of the request', async () => {
    const handler = answering(plain, { 'Content-Encoding': 'dcb' })
    const { url, told } = await openBefore(handler, { enforce: true })
    expect((await get(url, {})).status).toBe(200)
    expect(told[0]?.findings).toMatchObject([{ part: 'request', field: 'wallet_id' }])
  })
})

describe('an upstream that falls silent', () => {
  const begin =
    (bytes: number): Handler =>
    (request, response) => {
      request.resume()
      response.writeHead(200, { 'Content-Type': 'application/json' }).write('x'.repeat(bytes))
    }

  test('in the middle of an answer is a 504', async () => {
    const { url, failures } = await openBefore(begin(10), { timeout: 50 })
    expect((await get(url)).status).toBe(504)
    expect(failures).toEqual(['the upstream gave no answer: ETIMEDOUT'])
  })

  test('in a stream, or in an answer that passes unchecked, may go on', async () => {
    const { url, failures } = await openBefore(
      (request, response) => {
        begin(2000)(request, response)
        setTimeout(() => response.end('end'), 1600)
      },
      { timeout: 1000, mostBytes: 1000 },
    )
    const [stream, large] = await Promise.all([fetch(`${url}/dashboard/events`), get(url)])
    expect(await stream.text()).toMatch(/xend$/)
    expect(large.headers.get('contract-check')).toBe('unchecked')
    expect(await large.text()).toMatch(/xend$/)
    expect(failures).toEqual([])
  })
})
