import { connect } from 'node:net'
import { canary } from './hostile.ts'

/** What is written to a connection as it stands, and what has to come of it. */
interface RawCase {
  name: string
  /** The parts are written one after the other. */
  parts: readonly (string | Uint8Array)[]
  /** How many answers come. */
  answers: number
}

const json = 'Host: a\r\nContent-Type: application/json\r\n'
const keys = 'SERVICE-CLIENT-ID: sandbox-client\r\nSERVICE-SECRET: sandbox-secret\r\n'
const post = (path: string, headers: string, body = '{}'): string =>
  `POST ${path} HTTP/1.1\r\n${json}${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
const wallet = post('/wallet/list', keys)
const chunked = (chunks: string): string =>
  `POST /wallet/list HTTP/1.1\r\n${json}${keys}Transfer-Encoding: chunked\r\n\r\n${chunks}`
const close = 'Connection: close\r\n'

/** Requests that are no HTTP, or HTTP that two readers could take for two things. */
export const rawCases: readonly RawCase[] = [
  { name: 'one request', parts: [post('/wallet/list', keys + close)], answers: 1 },
  {
    name: 'three at once',
    parts: [wallet + wallet + post('/wallet/list', keys + close)],
    answers: 3,
  },
  { name: 'one byte at a time', parts: [...post('/wallet/list', keys + close)], answers: 1 },
  { name: 'chunks', parts: [chunked('1\r\n{\r\n1\r\n}\r\n0\r\n\r\n')], answers: 1 },
  { name: 'a chunk of no number', parts: [chunked('zz\r\n{}\r\n0\r\n\r\n')], answers: 1 },
  { name: 'a chunk of a negative number', parts: [chunked('-1\r\n{}\r\n0\r\n\r\n')], answers: 1 },
  { name: 'a chunk of a huge number', parts: [chunked(`${'f'.repeat(20)}\r\n{}\r\n`)], answers: 1 },
  { name: 'a chunk without its end', parts: [chunked('2\r\n{}XX0\r\n\r\n')], answers: 1 },
  {
    name: 'trailers',
    parts: [chunked(`2\r\n{}\r\n0\r\nSERVICE-SECRET: ${canary}\r\n\r\n`)],
    answers: 1,
  },
  {
    name: 'a length beside chunks',
    parts: [
      `POST /wallet/list HTTP/1.1\r\n${json}${keys}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    answers: 1,
  },
  {
    name: 'two lengths',
    parts: [
      `POST /wallet/list HTTP/1.1\r\n${json}${keys}Content-Length: 2\r\nContent-Length: 5\r\n\r\n{}`,
    ],
    answers: 1,
  },
  {
    name: 'a length of no number',
    parts: [`POST /wallet/list HTTP/1.1\r\n${json}${keys}Content-Length: 2x\r\n\r\n{}`],
    answers: 1,
  },
  { name: 'no HTTP', parts: [`${canary} hello\r\n\r\n`], answers: 1 },
  { name: 'TLS', parts: [Buffer.from('16030100a5010000a10303', 'hex')], answers: 1 },
  { name: 'NULs', parts: [Buffer.alloc(64)], answers: 1 },
  { name: 'a header with NUL', parts: [post('/wallet/list', `${keys}X-A: a\0b\r\n`)], answers: 1 },
  {
    name: 'a header of bytes',
    parts: [Buffer.from(post('/wallet/list', `${keys}X-A: \xff\xfe\r\n${close}`), 'latin1')],
    answers: 1,
  },
  {
    name: 'a header over two lines',
    parts: [post('/wallet/list', `${keys}X-A: a\r\n b\r\n`)],
    answers: 1,
  },
  {
    name: 'a header of 20 kB',
    parts: [post('/wallet/list', `X-A: ${'x'.repeat(20_000)}\r\n`)],
    answers: 1,
  },
  {
    name: 'three thousand headers',
    parts: [post('/wallet/list', 'X-A: 1\r\n'.repeat(3000))],
    answers: 1,
  },
  {
    name: 'a secret twice',
    parts: [post('/wallet/list', `${keys}SERVICE-SECRET: ${canary}\r\n${close}`)],
    answers: 1,
  },
  {
    name: 'a type twice',
    parts: [post('/wallet/list', `${keys}Content-Type: text/plain\r\n${close}`)],
    answers: 1,
  },
  {
    name: 'no host',
    parts: [`POST /wallet/list HTTP/1.1\r\n${keys}Content-Length: 0\r\n\r\n`],
    answers: 1,
  },
  {
    name: 'HTTP/1.0',
    parts: [`POST /wallet/list HTTP/1.0\r\n${json}${keys}Content-Length: 2\r\n\r\n{}`],
    answers: 1,
  },
  { name: 'HTTP/2', parts: ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'], answers: 1 },
  { name: 'HTTP/9', parts: ['GET / HTTP/9.9\r\nHost: a\r\n\r\n'], answers: 1 },
  {
    name: 'a whole address',
    parts: [post('http://evil.example/wallet/list', keys + close)],
    answers: 1,
  },
  {
    name: 'an address of bytes',
    parts: [Buffer.from(post('/\xff\xfe', close), 'latin1')],
    answers: 1,
  },
  { name: 'an address of 40 kB', parts: [post(`/${'a'.repeat(40_000)}`, close)], answers: 1 },
  {
    name: 'CONNECT',
    parts: ['CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n'],
    answers: 0,
  },
  {
    name: 'TRACE',
    parts: [`TRACE / HTTP/1.1\r\nHost: a\r\nX-A: ${canary}\r\n${close}\r\n`],
    answers: 1,
  },
  { name: 'a method of ours', parts: [`FROB / HTTP/1.1\r\nHost: a\r\n\r\n`], answers: 1 },
  {
    name: 'an upgrade',
    parts: [`GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n`],
    answers: 1,
  },
  {
    name: 'expects',
    parts: [post('/wallet/list', `${keys}Expect: 100-continue\r\n${close}`)],
    answers: 1,
  },
  {
    name: 'expects another thing',
    parts: [post('/wallet/list', `${keys}Expect: ${canary}\r\n${close}`)],
    answers: 1,
  },
  {
    name: 'gzip that is none',
    parts: [post('/wallet/list', `${keys}Content-Encoding: gzip\r\n${close}`)],
    answers: 1,
  },
  {
    name: 'a body shorter than said',
    parts: [`POST /wallet/list HTTP/1.1\r\n${json}${keys}Content-Length: 99\r\n\r\n{}`],
    answers: 0,
  },
  {
    name: 'a request in a body',
    parts: [post('/wallet/list', keys, `{}${wallet}`) + post('/wallet/list', keys + close)],
    answers: 2,
  },
  { name: 'nothing', parts: [''], answers: 0 },
]

interface RawAnswer {
  text: string
  /** Whether the service closed the connection by itself. */
  closed: boolean
}

/** Writes to a connection of its own, and reads until it ends or is quiet. */
export function sendRaw(
  port: number,
  parts: RawCase['parts'],
  patience: number,
): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const found: Buffer[] = []
    const end = (closed: boolean) => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ text: Buffer.concat(found).toString('latin1'), closed })
    }
    const timer = setTimeout(() => end(false), patience)
    socket.on('data', (chunk) => found.push(chunk))
    socket.on('error', () => end(true))
    socket.on('close', () => end(true))
    socket.on('connect', async () => {
      for (const part of parts) {
        if (!socket.writable) return
        socket.write(part)
        if (parts.length > 1) await new Promise((next) => setImmediate(next))
      }
    })
  })
}

/** The statuses of the answers that a connection got. */
export const statusesIn = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)]
    .map(([, status]) => Number(status))
    .filter((status) => status >= 200)
