import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type TestService } from '../support/service.ts'

// What is sent on one connection without waiting for answers.

let service: TestService
let port: number
beforeAll(async () => {
  service = await startService()
  port = Number(new URL(await service.app.listen({ port: 0, host: '127.0.0.1' })).port)
})
afterAll(() => service.close())

const get = (path: string, header = '') =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${header}\r\n`
const post = (body: string, path = '/wallet/list') =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${body.length}\r\n\r\n${body}`

/** Sends a text in pieces, and returns everything that comes back: until so many answers, or the end. */
async function send(pieces: readonly string[], count: number): Promise<(string | undefined)[]> {
  const socket = connect(port, '127.0.0.1')
  for (const piece of pieces) await new Promise((resolve) => socket.write(piece, resolve))
  let text = ''
  for await (const chunk of socket) {
    text += chunk
    if (statusesOf(text).length >= count) break
  }
  return statusesOf(text)
}

const statusesOf = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, code]) => code)

test('a thousand requests of all kinds are answered in their order', async () => {
  const kinds = [get('/livez'), get('/icons/A.png'), post('x'.repeat(3000)), get('/nowhere')]
  const wanted = ['200', '200', '400', '404']
  const answers = await send([kinds.join('').repeat(250)], 1000)
  expect(answers).toEqual(Array.from({ length: 1000 }, (_, place) => wanted[place % 4]))
})

test('a body that comes while an earlier request is under way is read', async () => {
  const all = get('/readyz') + post('x'.repeat(500_000), '/protect/event/send') + get('/livez')
  const pieces = [all.slice(0, 200), all.slice(200, 70_000), all.slice(70_000)]
  expect(await send(pieces, 3)).toEqual(['200', '400', '200'])
})

test('nothing is answered after the last response of a connection', async () => {
  const last = get('/livez', 'Connection: close\r\n')
  expect(await send([get('/livez') + last + get('/livez').repeat(100)], 102)).toEqual([
    '200',
    '200',
  ])
})

test('invalid HTTP gets an error after the responses to what came before it', async () => {
  const requests = post('{}').repeat(30) + get('/livez')
  const answers = await send([`${requests}NONSENSE\r\n\r\n${get('/livez')}`], 40)
  expect(answers).toEqual([...Array.from({ length: 30 }, () => '400'), '200', '400'])
})

/** Sends a text and ends the client's side with it; returns the statuses that come until the end. */
async function sendAndEnd(text: string): Promise<(string | undefined)[]> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.end(text)
  let answer = ''
  for await (const chunk of socket) answer += chunk
  return statusesOf(answer)
}

test.each([1, 3, 8, 500])(
  '%i requests are answered though their client ends its side',
  async (count) => {
    const answers = await sendAndEnd(get('/livez').repeat(count))
    expect(answers).toEqual(Array.from({ length: count }, () => '200'))
  },
)

test('requests with bodies are answered though their client ends its side', async () => {
  const answers = await sendAndEnd((get('/livez') + post('{}')).repeat(40))
  expect(answers).toEqual(Array.from({ length: 80 }, (_, place) => (place % 2 ? '400' : '200')))
})

const halves = [
  ['half a header', 'GET /liv'],
  ['half a body', post('{"a":1}').slice(0, -3)],
]
test.each(halves)('%s, and then the end, is answered as no HTTP', async (_, half) => {
  expect(await sendAndEnd(half)).toEqual(['400'])
  expect(await sendAndEnd(get('/livez').repeat(3) + half)).toEqual(['200', '200', '200', '400'])
})

test.each([
  ['a chunk without a size', 'Transfer-Encoding: chunked\r\n\r\nzz\r\n'],
  ['a coding that is not known', 'Transfer-Encoding: xchunked\r\n\r\n'],
  [
    'an extension of a chunk that is too long',
    `Transfer-Encoding: chunked\r\n\r\n1;${'a'.repeat(20_000)}`,
  ],
])('a body with %s is rejected though the rest of it never comes', async (_, rest) => {
  expect(await send([`POST /wallet/list HTTP/1.1\r\nHost: 127.0.0.1\r\n${rest}`], 2)).toEqual([
    '400',
  ])
})

test('a request that is in the system when its time is over is answered', async () => {
  const socket = connect(port, '127.0.0.1')
  const [accepted] = (await once(service.app.server, 'connection')) as [Socket]
  await once(socket, 'connect')
  // As Node does: in a timer, so before it reads what has come.
  setTimeout(() => {
    socket.write(get('/livez'))
    tellLate(accepted)
  })
  const [chunk] = (await once(socket, 'data')) as [Buffer]
  expect(statusesOf(String(chunk))).toEqual(['200'])
  socket.destroy()
})

test.each([
  ['nothing', ''],
  ['a part of its headers', get('/livez').slice(0, 20)],
  ['a part of its body', post('{"count":1}').slice(0, -3)],
])('a request of which %s has come when its time is over is rejected', async (_, text) => {
  const socket = connect(port, '127.0.0.1')
  const [accepted] = (await once(service.app.server, 'connection')) as [Socket]
  socket.write(text)
  await sleep(50)
  tellLate(accepted)
  const [chunk] = (await once(socket, 'data')) as [Buffer]
  expect(String(chunk)).toContain('the request must arrive in time')
  socket.destroy()
})

const form = `POST /verify/idv_1 HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Language: de\r\n`

test.each([
  [
    'a header that is none',
    'GET /verify/idv_1 HTTP/1.1\r\nAccept-Language: de\r\nno header\r\n\r\n',
    /Das funktioniert nicht/,
  ],
  [
    'a header that has no end',
    'GET /hosted/link/session/a/consent HTTP/1.1\r\nCookie: a\r\r\n\r\n',
    /This does not work/,
  ],
  [
    'a body that is cut',
    `${form}Transfer-Encoding: chunked\r\n\r\nnone\r\n`,
    /Das funktioniert nicht/,
  ],
])('a browser that asks for a hosted page with %s gets a page', async (_, text, title) => {
  const socket = connect(port, '127.0.0.1')
  socket.write(text)
  let answer = ''
  for await (const chunk of socket) answer += chunk
  expect(answer).toMatch(
    /^HTTP\/1\.1 400 Bad Request\r\nContent-Type: text\/html; charset=utf-8\r\n/,
  )
  expect(answer).toMatch(/\r\nContent-Security-Policy: default-src 'none'/)
  expect(answer).toMatch(title)
  expect(answer).not.toContain('INVALID_HEADERS')
})

test('a form whose body does not come in time gets a page', async () => {
  const socket = connect(port, '127.0.0.1')
  const [accepted] = (await once(service.app.server, 'connection')) as [Socket]
  socket.write(`${form}Content-Length: 100\r\n\r\nturn=0`)
  await sleep(50)
  tellLate(accepted)
  const [chunk] = (await once(socket, 'data')) as [Buffer]
  expect(String(chunk)).toMatch(/^HTTP\/1\.1 400[\s\S]*Das funktioniert nicht/)
  socket.destroy()
})

test('the next request of a connection that showed a page is answered as what it is', async () => {
  const socket = connect(port, '127.0.0.1')
  const [accepted] = (await once(service.app.server, 'connection')) as [Socket]
  socket.write(get('/verify/idv_1'))
  await once(socket, 'data')
  await sleep(50)
  socket.write(post('{"count":1}').slice(0, -3))
  await sleep(50)
  tellLate(accepted)
  const [chunk] = (await once(socket, 'data')) as [Buffer]
  expect(String(chunk)).toContain('"INVALID_HEADERS"')
  socket.destroy()
})

/** What Node does where a request takes longer than it may. */
function tellLate(socket: Socket): void {
  const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
  service.app.server.emit('clientError', error, socket)
}
