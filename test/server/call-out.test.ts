import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCallOut } from '../../src/server/protocols/call-out.ts'
import { type SimplefinServer, startSimplefin } from '../support/simplefin-server.ts'

let server: SimplefinServer
beforeAll(async () => {
  server = await startSimplefin()
})
afterAll(() => server.close())

const toUrl = (address: string) => ({ method: 'GET' as const, url: new URL(address) })
const ask = (options: Parameters<typeof createCallOut>[0]) =>
  createCallOut(options)(toUrl(`http://${server.host}/simplefin/accounts`))

test('a source that does not end its answer is left after a time', async () => {
  server.mishaps = ['slow']
  const late = ask({ targets: 'loopback', timeoutMs: 50 })
  await expect(late).rejects.toMatchObject({
    kind: 'outage',
    message: expect.stringMatching('time'),
  })
})

test('a process that ends does not wait', async () => {
  server.mishaps = ['slow']
  const stopping = new AbortController()
  const cut = ask({ targets: 'loopback', signal: stopping.signal })
  stopping.abort()
  await expect(cut).rejects.toMatchObject({ kind: 'outage' })
})

test.each([
  ['http://bank.example.com/simplefin', 'https'],
  ['https://127.0.0.1/simplefin', 'public'],
  ['https://[::1]/simplefin', 'public'],
  ['https://10.0.0.1/simplefin', 'public'],
  ['https://169.254.169.254/simplefin', 'public'],
  ['https://localhost/simplefin', 'public'],
])('%s is never called in production', async (address, reason) => {
  const call = createCallOut({ targets: 'public' })(toUrl(address))
  await expect(call).rejects.toMatchObject({ message: expect.stringContaining(reason) })
})

test('what is told of a failure has no address', async () => {
  const call = createCallOut({ targets: 'loopback' })(
    toUrl('http://user:secret@127.0.0.1:1/simplefin/claim/secret'),
  )
  await expect(call).rejects.toMatchObject({
    message: 'the source gave no response (ECONNREFUSED)',
  })
})

/** Whether a server on this machine that does one thing on each connection is an outage. */
async function outageOf(answer: (socket: Socket) => void, timeoutMs = 5000): Promise<string> {
  const sockets = new Set<Socket>()
  const odd = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => answer(socket))
  })
  odd.listen(0, '127.0.0.1')
  await once(odd, 'listening')
  const { port } = odd.address() as AddressInfo
  const call = createCallOut({ targets: 'loopback', timeoutMs })(
    toUrl(`http://127.0.0.1:${port}/simplefin/accounts`),
  )
  const failure = await call.then(
    () => 'an answer',
    (error: unknown) => `${(error as { kind: string }).kind}: ${(error as Error).message}`,
  )
  for (const socket of sockets) socket.destroy()
  odd.close()
  return failure
}

test.each([
  ['closes at once', (socket: Socket) => void socket.end()],
  ['is no HTTP', (socket: Socket) => void socket.end('220 mail.example.com ESMTP\r\n')],
  ['has endless headers', (socket: Socket) => endless(socket, 'HTTP/1.1 200 OK\r\n', 'X: 1\r\n')],
  [
    'switches protocols',
    (socket: Socket) =>
      void socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
      ),
  ],
  [
    'promises more than it sends',
    (socket: Socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{}'),
  ],
])('a source that %s is an outage', async (_name, answer) => {
  expect(await outageOf(answer)).toMatch(/^outage: /)
})

test('a byte now and then does not keep a call open', async () => {
  const late = await outageOf((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n')
    const timer = setInterval(() => socket.write(' '), 20)
    socket.on('close', () => clearInterval(timer))
  }, 200)
  expect(late).toContain('in time')
})

function endless(socket: Socket, first: string, more: string): void {
  socket.write(first)
  const timer = setInterval(() => socket.write(more.repeat(1000)), 1)
  socket.on('close', () => clearInterval(timer))
}

test('a certificate that nobody has signed is no source', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1']
  const made = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert]
  execFileSync('openssl', ['req', ...made, ...names], { stdio: 'ignore' })
  let asked = 0
  const tls = createTlsServer(
    { key: readFileSync(key), cert: readFileSync(cert) },
    (_, response) => {
      asked += 1
      response.end('{}')
    },
  )
  tls.listen(0, '127.0.0.1')
  await once(tls, 'listening')
  const { port } = tls.address() as AddressInfo
  const call = createCallOut({ targets: 'loopback' })(toUrl(`https://127.0.0.1:${port}/accounts`))
  await expect(call).rejects.toMatchObject({
    kind: 'outage',
    message: expect.stringContaining('SELF_SIGNED'),
  })
  expect(asked).toBe(0)
  tls.close()
  rmSync(folder, { recursive: true })
})
