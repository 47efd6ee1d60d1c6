import { createServer } from 'node:http'
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { contractChecks } from '../../src/client/checks.ts'
import { type CallOptions, type ClientOptions, createClient } from '../../src/index.ts'
import { freePort } from '../support/free-port.ts'
import { recorder, rejection } from '../support/recorder.ts'

// Whatever goes wrong, nothing that is printed of it may hold what was sent.

const sent = {
  clientId: 'client-id-that-nobody-prints',
  secret: 'secret-that-nobody-prints',
  token: 'access-token-that-nobody-prints',
  header: 'header-that-nobody-prints',
}

/** Everything that a logger might make of an error, its causes included. */
function printed(error: unknown): string {
  const causes: unknown[] = []
  for (let one = error; one !== undefined; one = (one as Error).cause) causes.push(one)
  return causes
    .flatMap((one) => [
      String(one),
      JSON.stringify(one),
      (one as Error).stack,
      inspect(one, { depth: 20, showHidden: true, getters: true }),
      JSON.stringify(Object.getOwnPropertyDescriptors(one)),
    ])
    .join('\n')
}

async function failureOf(
  options: Partial<ClientOptions>,
  call: CallOptions = {},
  access_token: unknown = sent.token,
): Promise<unknown> {
  const { clientId, secret } = sent
  const baseUrl = 'http://service.example'
  try {
    const client = createClient({ baseUrl, clientId, secret, retries: 0, ...options })
    const headers = { Authorization: `Bearer ${sent.header}` }
    const { error } = await client.accountsGet(
      { access_token: access_token as string },
      { headers, ...call },
    )
    return error
  } catch (error) {
    return error
  }
}

const validate = contractChecks({ requests: true })
const never = () => new Promise<Response>(() => {})
const closed = `http://127.0.0.1:${await freePort()}`

const failures: [name: string, () => Promise<unknown>][] = [
  ['a refusal', () => failureOf(recorder(rejection(400, 'INVALID_FIELD')))],
  ['an answer of something else', () => failureOf(recorder(new Response('<html>')))],
  ['a connection that is refused', () => failureOf({ baseUrl: closed })],
  ['a connection that breaks', () => brokenConnection()],
  ['an end of time', () => failureOf({ fetch: never, timeout: 1 })],
  ['an abort', () => failureOf({ fetch: never }, { signal: AbortSignal.abort() })],
  ['an address that is none', () => failureOf({ baseUrl: 'nowhere' })],
  [
    'an address with a password',
    () => failureOf({ baseUrl: `http://me:${sent.secret}@a.example` }),
  ],
  ['a secret that no header can carry', () => failureOf({ secret: `${sent.secret}\nx` })],
  ['a client id that no header can carry', () => failureOf({ clientId: `${sent.clientId}…` })],
  [
    'a header that no header can carry',
    () => failureOf(recorder(), { headers: { 'X-Key': `${sent.header}\u0000` } }),
  ],
  ['a body that does not fit', () => failureOf({ validate }, { headers: {} }, [sent.token])],
]

async function brokenConnection(): Promise<unknown> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Length': '100' }).write('{"accounts":')
    setImmediate(() => response.destroy())
  })
  const port = await new Promise<number>((listening) => {
    server.listen(0, '127.0.0.1', () => listening((server.address() as { port: number }).port))
  })
  try {
    return await failureOf({ baseUrl: `http://127.0.0.1:${port}` })
  } finally {
    server.close()
  }
}

describe.each(failures)('%s', (_name, fail) => {
  test('prints nothing that was sent', async () => {
    const error = await fail()
    expect(error).toBeInstanceOf(Error)
    const text = printed(error)
    expect(text.length).toBeGreaterThan(20)
    for (const value of Object.values(sent)) expect(text).not.toContain(value)
  })
})

test('a client that is printed does not show its credentials', () => {
  const { clientId, secret } = sent
  const text = printed(createClient({ baseUrl: closed, clientId, secret }))
  expect(text).toContain('accountsGet')
  for (const value of Object.values(sent)) expect(text).not.toContain(value)
})

describe('a mistake in the settings', () => {
  const url = 'baseUrl must be an http or https URL, without credentials or query'

  test.each([
    [
      { clientId: 'me', secret: 'a\nb' },
      'the header SERVICE-SECRET has a character that no header can carry',
    ],
    [{ baseUrl: 'http://a:b@c.example' }, url],
    [{ baseUrl: 'http:a:b@c.example' }, url],
    [{ baseUrl: 'http:\\\\a:b@c.example' }, url],
    [{ baseUrl: 'service.example' }, url],
    [{ baseUrl: 'localhost:4000' }, url],
    [{ baseUrl: 'http://service.example/?tenant=1' }, url],
    [{ baseUrl: 'http://service.example/#' }, url],
  ])('is reported when the client is created: %j', (options, message) => {
    expect(() => createClient({ baseUrl: 'http://service.example', ...options })).toThrow(message)
  })

  test.each(['HTTP://service.example', 'https://service.example:8443/a/@b', 'http://[::1]:4000/'])(
    'is not %s',
    (baseUrl) => {
      expect(() => createClient({ baseUrl })).not.toThrow()
    },
  )
})
