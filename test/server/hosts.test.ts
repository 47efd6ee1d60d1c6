import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createHostRule } from '../../src/server/http/host-rule.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let port: number
beforeAll(async () => {
  service = await startService({
    publicUrl: () => 'https://api.example.com:8443/finance',
    callers: { hosts: ['fds.test', '*.apps.example.com'] },
  })
  port = Number(new URL(await service.app.listen({ port: 0, host: '127.0.0.1' })).port)
})
afterAll(() => service.close())

/** Sends these lines on a connection of its own, and returns the status and the body. */
async function send(...lines: string[]): Promise<[status: number, body: Record<string, unknown>]> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
    if (/\r\n\r\n.*\}$/s.test(answer)) socket.end()
  })
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  await once(socket, 'close')
  const [head = '', body = '{}'] = answer.split('\r\n\r\n')
  return [Number(head.split(' ')[1]), JSON.parse(body)]
}

const rejected = (error_message: string) => [
  400,
  expect.objectContaining({
    error_code: 'INVALID_HEADERS',
    error_message: expect.stringContaining(error_message),
    request_id: expect.any(String),
  }),
]

describe('a request may name', () => {
  const isHost = createHostRule(['fds.test', '*.apps.example.com'], () => 'https://api.example.com')
  test.each([
    ...['127.0.0.1', '127.0.0.1:4000', '10.1.2.3:80', '203.0.113.7', '[::1]:4000', '[2001:db8::1]'],
    ...['localhost', 'localhost:4000', 'LocalHost', 'localhost.', 'fds', 'fds_api:4000'],
    ...['app.localhost', 'a.b.localhost:1', 'host.docker.internal', 'fds.internal:4000'],
    ...[
      'fds.test',
      'FDS.test:4000',
      'api.example.com',
      'a.apps.example.com',
      'a.b.apps.example.com',
    ],
  ])('%s', (host) => expect(isHost(host)).toBe(true))

  test.each([
    ...['evil.example', 'evil.example:4000', 'localhost.evil.example', '127.0.0.1.evil.example'],
    ...[
      'internal.evil.example',
      'evil.example.',
      'notfds.test',
      'apps.example.com',
      'xapi.example.com',
    ],
    ...['evilapps.example.com', '[::1', '[evil.example]', '[1.2.3.4]', '1.2.3.4.5', '256.1.1.1'],
    ...['', ':4000', 'a b', 'a,b', 'user@localhost', 'localhost/', 'localhost:port', 'é'],
  ])('not %j', (host) => expect(isHost(host)).toBe(false))
})

describe('the header Host', () => {
  test('has to name the service', async () => {
    const evil = await send('GET /icons/a.png HTTP/1.1', 'Host: evil.example')
    expect(evil).toEqual(rejected('ALLOWED_HOSTS'))
    const named = await send(
      'GET /.well-known/oauth-authorization-server HTTP/1.1',
      'Host: fds.test',
    )
    expect(named[0]).toBe(200)
  })

  test.each(['1.0', '1.1'])('has to be there in HTTP/%s', async (version) => {
    expect(await send(`POST /wallet/list HTTP/${version}`, 'Content-Length: 0')).toEqual(
      rejected('`Host` must be given'),
    )
  })

  test('must not be there twice, even where it says the same', async () => {
    for (const other of ['127.0.0.1', 'evil.example']) {
      const twice = ['Host: 127.0.0.1', `hOST: ${other}`]
      expect(await send('GET /livez HTTP/1.1', ...twice)).toEqual(rejected('once'))
      expect(await send('GET /docs/ HTTP/1.1', ...twice)).toEqual(rejected('once'))
    }
  })

  test('may name anything, or be missing, where the health of the process is asked for', async () => {
    expect(await send('GET /livez HTTP/1.1', 'Host: evil.example')).toEqual([200, { live: true }])
    expect((await send('GET /readyz HTTP/1.0'))[0]).toBe(200)
    expect((await send('GET /livez HTTP/1.1', 'Host: a', 'Origin: http://b.example'))[0]).toBe(400)
  })

  test('is answered in the form of the OAuth operations there', async () => {
    const [status, body] = await send('POST /oauth/token HTTP/1.1', 'Host: evil.example')
    expect([status, body]).toEqual([400, expect.objectContaining({ error: 'invalid_request' })])
  })
})

describe('the header Expect', () => {
  test('asks for nothing but 100-continue', async () => {
    const expects = (value: string) =>
      send('POST /wallet/list HTTP/1.1', 'Host: fds', `Expect: ${value}`, 'Content-Length: 0')
    expect(await expects('something')).toEqual(rejected('`Expect` must be `100-continue`'))
  })
})
