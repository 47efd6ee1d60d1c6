import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import {
  type AddressInfo,
  createServer as createNetServer,
  type Server,
  type Socket,
} from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { endWithTest, once } from './end-with-test.ts'

/** A webhook that was taken with a 2xx, or not. */
export interface Arrival {
  path: string
  code: string
  item: string
  at: number
  accepted: boolean
}

/** A receiver that is no good one. */
export interface OddReceiver {
  url: string
  arrivals: Arrival[]
  /** Paths at which a second webhook came before the first was answered. */
  overlaps: string[]
  close(): Promise<void>
}

/** Answers a webhook in its way; whether that is a 2xx. */
type Answer = (response: ServerResponse, attempt: number) => boolean

const accept = (response: ServerResponse): boolean => {
  response.writeHead(200).end('thanks')
  return true
}

/** What receivers do; `attempt` counts what came for an Item. */
export const answers = {
  steady: accept,
  redirecting: (response, attempt) => {
    if (attempt > 1) return accept(response)
    response.writeHead(307, { Location: '/elsewhere' }).end()
    return false
  },
  closing: (response, attempt) => {
    if (attempt > 2) return accept(response)
    response.destroy()
    return false
  },
  'switching protocols': (response, attempt) => {
    if (attempt > 1) return accept(response)
    response.socket?.end(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
    )
    return false
  },
  'talking nonsense': (response, attempt) => {
    if (attempt > 1) return accept(response)
    response.socket?.end('what do you want?\r\n\r\n')
    return false
  },
  'answering byte by byte': (response) => {
    void dribble(response.socket, 'HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n', 5)
    return true
  },
  'never ending its answer': (response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write('.'), 50)
    response.on('close', () => clearInterval(timer))
    return true
  },
  'answering at length': (response) => {
    response.on('error', () => {})
    response.writeHead(200).end(Buffer.alloc(20_000_000, 'x'))
    return true
  },
} satisfies Record<string, Answer>

async function dribble(socket: Socket | null, text: string, everyMs: number): Promise<void> {
  for (const byte of text) {
    if (!socket?.writable) return
    socket.write(byte)
    await sleep(everyMs)
  }
  socket?.end()
}

/** Starts a receiver on a port of its own; `host` of another one makes it another host. */
export async function startOdd(answer: Answer, tls = false): Promise<OddReceiver> {
  const arrivals: Arrival[] = []
  const overlaps: string[] = []
  const perItem = new Map<string, number>()
  const open = new Set<string>()
  const listener: RequestListener = async (request, response) => {
    const { url: path = '' } = request
    if (open.has(path)) overlaps.push(path)
    open.add(path)
    response.on('close', () => open.delete(path))
    let body = ''
    for await (const chunk of request) body += chunk
    const { webhook_code: code, item_id: item } = JSON.parse(body)
    const attempt = (perItem.get(item) ?? 0) + 1
    perItem.set(item, attempt)
    arrivals.push({ path, code, item, at: performance.now(), accepted: answer(response, attempt) })
  }
  const server = tls ? createTlsServer(selfSigned(), listener) : createServer(listener)
  const close = closing(server, () => server.closeAllConnections())
  const url = await listen(server, tls ? 'https' : 'http')
  return { url, arrivals, overlaps, close }
}

/** A receiver that takes connections and says nothing, for as many hosts as are wanted. */
export async function startSilent(): Promise<{
  /** The address at a host of its own for each number. */
  urlOf(place: number): string
  connections(): number
  close(): Promise<void>
}> {
  const sockets = new Set<Socket>()
  const server = createNetServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    // Nothing is ever read.
    socket.pause()
    socket.once('close', () => sockets.delete(socket))
  })
  const close = closing(server, () => {
    for (const socket of sockets) socket.destroy()
  })
  const { port } = new URL(await listen(server, 'http'))
  return {
    urlOf: (place) => `http://127.0.${1 + (place >> 8)}.${place & 255}:${port}/hooks`,
    connections: () => sockets.size,
    close,
  }
}

/** Cuts the connections and closes the server: with the test that starts it, if not before. */
function closing(server: Server, cut: () => void): () => Promise<void> {
  const close = once(async () => {
    cut()
    await new Promise<void>((resolve) => void server.close(() => resolve()))
  })
  endWithTest(close)
  return close
}

async function listen(server: Server, scheme: string): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', 4096, resolve))
  const { port } = server.address() as AddressInfo
  return `${scheme}://127.0.0.1:${port}`
}

/** A certificate that no client trusts. */
function selfSigned(): { key: Buffer; cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'tls-'))
  const [key, cert] = [join(folder, 'key'), join(folder, 'cert')]
  const subject = ['-subj', '/CN=127.0.0.1', '-days', '1', '-nodes']
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256']
  execFileSync('openssl', ['req', '-x509', ...kind, '-keyout', key, '-out', cert, ...subject], {
    stdio: 'ignore',
  })
  const pair = { key: readFileSync(key), cert: readFileSync(cert) }
  rmSync(folder, { recursive: true })
  return pair
}
