import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sending } from './load.ts'
import { percentile } from './statistics.ts'

// autocannon sends what a rate allows for a second at the beginning of that second. This sends each
// request when it is due, whatever the answers do, and counts from then on.

export interface Paced {
  url: string
  /** Requests a second. */
  rate: number
  seconds: number
  requests: readonly Sending[]
}

export interface PacedResult {
  sent: number
  /** How many had another answer than 200, or none. */
  failed: number
  /** In ms since the requests were due. */
  p50: number
  p99: number
}

interface Line {
  socket: Socket
  due: number
  buffer: Buffer
}

const connections = 100
const patienceMs = 5000

export async function sendAtRate({ url, rate, seconds, requests }: Paced): Promise<PacedResult> {
  const { host } = new URL(url)
  const latencies: number[] = []
  const waiting: number[] = []
  let [sent, failed, next] = [0, 0, 0]

  const send = (line: Line, due: number): void => {
    line.due = due
    line.socket.write(toText(requests[sent % requests.length] as Sending, host, sent))
    sent += 1
  }
  const idle = await Promise.all(
    Array.from({ length: connections }, () =>
      openLine(url, (line, status) => {
        if (status === 200) latencies.push(performance.now() - line.due)
        else failed += 1
        const due = waiting[next]
        if (due === undefined) return void idle.push(line)
        next += 1
        send(line, due)
      }),
    ),
  )
  const lines = [...idle]
  const all = Math.round(rate * seconds)
  const begun = performance.now()
  for (let made = 0; made < all; ) {
    const due = Math.min(all, Math.floor(((performance.now() - begun) / 1000) * rate))
    for (; made < due; made += 1) {
      const at = begun + (made / rate) * 1000
      const line = idle.pop()
      if (line) send(line, at)
      else waiting.push(at)
    }
    await sleep(1)
  }
  const end = performance.now() + patienceMs
  while (latencies.length + failed < all && performance.now() < end) await sleep(10)
  for (const { socket } of lines) socket.destroy()
  const lost = all - latencies.length - failed
  const [p50, p99] = [percentile(latencies, 0.5), percentile(latencies, 0.99)]
  return { sent, failed: failed + lost, p50, p99 }
}

const stamp = Date.now().toString(36)

function toText({ path, headers, body: form }: Sending, host: string, number: number): string {
  const body = form.replaceAll('[<id>]', `${stamp}-${process.pid}-${number}`)
  const lines = Object.entries({ Host: host, ...headers }).map((pair) => pair.join(': '))
  const length = Buffer.byteLength(body)
  return [`POST ${path} HTTP/1.1`, ...lines, `Content-Length: ${length}`, '', body].join('\r\n')
}

async function openLine(url: string, answered: (line: Line, status: number) => void) {
  const { port, hostname } = new URL(url)
  const socket = connect(Number(port), hostname)
  const line: Line = { socket, due: 0, buffer: Buffer.alloc(0) }
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  socket.on('error', () => {})
  socket.on('data', (chunk: Buffer) => {
    line.buffer = line.buffer.length > 0 ? Buffer.concat([line.buffer, chunk]) : chunk
    const status = takeAnswer(line)
    if (status !== undefined) answered(line, status)
  })
  return line
}

/** The status of the answer once all of it is there. */
function takeAnswer(line: Line): number | undefined {
  const end = line.buffer.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = line.buffer.toString('latin1', 0, end)
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (length === undefined) throw new Error('an answer without a length cannot be read here')
  if (line.buffer.length < end + 4 + Number(length)) return undefined
  line.buffer = Buffer.alloc(0)
  return Number(head.slice(9, 12))
}
