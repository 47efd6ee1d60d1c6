import { createServer, request as requestHttp } from 'node:http'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createContractIndex } from '../../src/proxy/contract-index.ts'
import { conformTo, failuresIn } from '../support/conform.ts'
import { jsonHeaders, startMock } from '../support/mock.ts'
import {
  answering,
  closeOpened,
  get,
  type Handler,
  open,
  openBefore,
  opened,
  openProxy,
  wallet,
} from '../support/proxy.ts'

afterEach(closeOpened)

describe('what keeps to the contract', () => {
  test('passes unchanged, byte for byte', async () => {
    const text = ` ${JSON.stringify(wallet, null, 3)}\n`
    const { url, told } = await openBefore(answering(text, { 'X-Own': ['a', 'b'] }))
    const response = await get(url)
    expect(await response.text()).toBe(text)
    expect(response.headers.get('x-own')).toBe('a, b')
    expect(response.headers.get('contract-check')).toBe('valid')
    expect(told).toEqual([])
  })

  test('reaches the upstream as it was sent', async () => {
    const seen: { headers: string[]; body: string; url: string | undefined }[] = []
    const { url } = await openBefore(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString()
      seen.push({ headers: request.rawHeaders, body, url: request.url })
      answering(wallet)(request, response)
    })
    const headers = { ...jsonHeaders, 'X-Odd-Case': 'é'.normalize('NFC') === 'é' ? 'kept' : '' }
    const body = '{ "wallet_id" : "w" }'
    await fetch(`${url}/wallet/get?x=1`, { method: 'POST', headers, body })
    expect(seen).toMatchObject([{ body, url: '/wallet/get?x=1' }])
    expect(seen[0]?.headers).toEqual(expect.arrayContaining(['X-Odd-Case', 'kept']))
  })

  test('is read when it is compressed', async () => {
    const bytes = gzipSync(JSON.stringify({ ...wallet, status: 7 }))
    const { url, told } = await openBefore(answering(bytes, { 'Content-Encoding': 'gzip' }))
    const response = await get(url)
    expect(await response.json()).toEqual({ ...wallet, status: 7 })
    expect(told[0]?.findings).toMatchObject([{ part: 'answer', field: 'status' }])
  })
})

describe('what breaks the contract', () => {
  const broken = { ...wallet, balance: { ...wallet.balance, current: 'secret-value' } }

  test('is told in the log, in headers and as an event, without values', async () => {
    const { url, told } = await openBefore(answering(broken))
    const events = await fetch(`${url}/.contract/events`)
    const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader()
    const response = await get(url, { wallet_id: 'private-id', count: 'private-count' })
    expect(await response.json()).toEqual(broken)
    expect(response.headers.get('contract-check')).toBe('broken')
    expect(response.headers.get('contract-finding')).toBe(
      'request; count; is not a field of this request, answer; balance.current; must be a number',
    )
    expect(told).toMatchObject([
      {
        ...{ operation: 'walletGet', version: '2020-09-14', status: 200 },
        request_id: 'o5BS1VdzWsLRz3E',
        findings: [
          { part: 'request', field: 'count', message: 'is not a field of this request' },
          { part: 'answer', field: 'balance.current', message: 'must be a number' },
        ],
      },
    ])
    const { value = '' } = (await reader?.read()) ?? {}
    await reader?.cancel()
    expect(value).toBe(`id: 1\nevent: finding\ndata: ${JSON.stringify(told[0])}\n\n`)
    expect(value + JSON.stringify(told)).not.toMatch(/private|secret/)
  })

  test('is an error in its place where answers are enforced', async () => {
    const { url } = await openBefore(answering(broken), { enforce: true })
    const response = await get(url)
    expect(response.status).toBe(502)
    expect(await response.json()).toMatchObject({
      error_type: 'API_ERROR',
      error_message: 'the proxy: the answer of the service breaks the contract',
    })
    expect(response.headers.get('contract-finding')).toContain('answer; balance.current')
  })

  test('in a request alone is passed on, also where answers are enforced', async () => {
    const { url, told } = await openBefore(answering(wallet), { enforce: true })
    expect((await get(url, {})).status).toBe(200)
    expect(told[0]?.findings).toMatchObject([{ part: 'request', field: 'wallet_id' }])
  })

  test('is not a field that a newer service adds, unless the check is strict', async () => {
    const newer = { ...wallet, nickname: 'Rent' }
    const usual = await openBefore(answering(newer))
    expect((await get(usual.url)).headers.get('contract-check')).toBe('valid')
    const exact = await createContractIndex(true)
    const strict = await openBefore(answering(newer), { index: exact })
    expect((await get(strict.url)).headers.get('contract-check')).toBe('broken')
    expect(strict.told[0]?.findings).toMatchObject([{ part: 'answer', field: 'nickname' }])
  })

  test('is a missing header, or an answer that is not JSON', async () => {
    const page = await openBefore((request, response) => {
      request.resume()
      response.writeHead(200, { 'Content-Type': 'text/plain' }).end('hello')
    })
    await get(page.url)
    const fields = page.told[0]?.findings.map(({ field }) => field)
    expect(fields).toEqual(['header Request-Id', 'header Content-Type', ''])
  })
})

describe('what is no operation', () => {
  test('streams as it comes', async () => {
    let goOn = () => {}
    const { url } = await openBefore((request, response) => {
      request.resume()
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\n\n')
      goOn = () => void response.end('data: 2\n\n')
    })
    const response = await fetch(`${url}/dashboard/events`)
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader?.read())?.value).toBe('data: 1\n\n')
    goOn()
    expect((await reader?.read())?.value).toBe('data: 2\n\n')
    expect(response.headers.get('contract-check')).toBeNull()
  })
})

describe('limits', () => {
  test('of the check let larger answers pass, whole', async () => {
    const large = { ...wallet, padding: 'x'.repeat(300_000) }
    const { url, told } = await openBefore(answering(large), { mostBytes: 1000 })
    const response = await get(url)
    expect(response.headers.get('contract-check')).toBe('unchecked')
    expect(await response.json()).toEqual(large)
    expect(told).toEqual([])
  })

  test('of hosts keep pages of other sites out', async () => {
    const { url } = await openBefore(answering(wallet), { isHost: (host) => host === 'ours' })
    expect((await get(url)).status).toBe(403)
    expect((await fetch(`${url}/.contract/events`)).status).toBe(403)
  })
})

describe('an upstream that fails', () => {
  test('before it answers is a clear 502', async () => {
    const gone = await open(createServer())
    await new Promise((resolve) => opened.pop()?.close(resolve))
    const { url, failures } = await openProxy(gone)
    const response = await get(url)
    expect(response.status).toBe(502)
    const message = 'the upstream gave no answer: ECONNREFUSED'
    expect(await response.json()).toMatchObject({ error_message: `the proxy: ${message}` })
    expect(failures).toEqual([message])
  })

  test('in the middle of an answer is a 502, since nothing was sent yet', async () => {
    const { url } = await openBefore((_request, response) => {
      response.writeHead(200, { 'Content-Length': '100' }).write('{')
      setImmediate(() => response.destroy())
    })
    expect((await get(url)).status).toBe(502)
  })

  test('by its silence is a 504', async () => {
    const { url } = await openBefore(() => {}, { timeout: 50 })
    const response = await get(url)
    expect(response.status).toBe(504)
    expect(await response.json()).toMatchObject({
      error_message: 'the proxy: the upstream gave no answer: ETIMEDOUT',
    })
  })

  test('to read a request that it has answered does no harm to the next one', async () => {
    const early: Handler = (request, response) => {
      response.writeHead(413).end('{}')
      request.resume()
    }
    const { url } = await openBefore(early)
    const large = { method: 'POST', headers: jsonHeaders, body: ' '.repeat(2_000_000) }
    for (let round = 0; round < 5; round += 1) {
      expect((await fetch(`${url}/wallet/get`, large)).status).toBe(413)
    }
  })
})

test('a client that goes away ends the request to the upstream', async () => {
  const ended = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const { url } = await openBefore((request) => {
    request.resume()
    request.once('close', () => ended.resolve())
    begun.resolve()
  })
  const leaving = requestHttp(`${url}/wallet/get`, { method: 'POST' })
  leaving.on('error', () => {})
  leaving.write('{')
  await begun.promise
  leaving.destroy()
  await ended.promise
})

test('one connection serves many requests, on both sides', async () => {
  const ports = new Set<number | undefined>()
  const { url } = await openBefore((request, response) => {
    ports.add(request.socket.remotePort)
    answering(wallet)(request, response)
  })
  const { port } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1')
  let output = ''
  socket.setEncoding('utf8').on('data', (text) => {
    output += text
  })
  const body = JSON.stringify({ wallet_id: 'w' })
  const head = `POST /wallet/get HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  for (let round = 1; round <= 3; round += 1) {
    socket.write(head + body)
    await expect.poll(() => output.split('HTTP/1.1 200').length).toBe(round + 1)
  }
  socket.destroy()
  expect(ports.size).toBe(1)
})

describe('in front of the mock', () => {
  let mock: Awaited<ReturnType<typeof startMock>>
  beforeAll(async () => {
    mock = await startMock()
  })
  afterAll(() => mock.close())

  test('nothing that is judged comes out another way', async () => {
    const exact = await createContractIndex(true)
    const { url, told } = await openProxy(mock.url, { index: exact, mostBytes: 4_000_000 })
    const report = await conformTo(url, { stateless: true })
    expect(failuresIn(report)).toEqual([])
    const answers = told.flatMap(({ findings }) => findings.filter(({ part }) => part === 'answer'))
    expect(answers).toEqual([])
    expect(told.length).toBeGreaterThan(500)
  })
})
