import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { firstClient, headersOf } from '../../support/service-process.ts'

// Sends calls from a process of its own, at a rate that no answer changes, or one after the other on
// some connections. `open-loop-client.ts <url> <calls as JSON> <plan as JSON>`; prints what came back.

/** What is to be sent: so many a second, or as fast as so many connections get answers. */
export interface Plan {
  seconds: number
  rate?: number
  connections: number
}

export interface Sent {
  sent: number
  /** How often each status was answered. */
  statuses: Record<string, number>
  /** In ms since the call was due, by its second: of those that were accepted, and refused. */
  accepted: number[][]
  refused: number[][]
  /** How many had neither an answer nor a connection. */
  lost: number
  /** The `Retry-After` of refusals. */
  retryAfter: Record<string, number>
  /** How many of the refusals were not in the form of the contract. */
  malformed: number
}

interface Line {
  socket: Socket
  due: number
  buffer: string
  busy: boolean
}

const [, , url = '', callsText = '[]', planText = '{}'] = process.argv
const { hostname, port } = new URL(url)
const plan = JSON.parse(planText) as Plan
const requests = (JSON.parse(callsText) as { path: string; body: object }[]).map(
  ({ path, body }) => {
    const text = JSON.stringify(body)
    const headers = Object.entries(headersOf(firstClient)).map((pair) => pair.join(': '))
    const head = [`POST ${path} HTTP/1.1`, `Host: ${hostname}`, ...headers]
    return `${head.join('\r\n')}\r\nContent-Length: ${text.length}\r\n\r\n${text}`
  },
)

const result: Sent = {
  sent: 0,
  statuses: {},
  accepted: [],
  refused: [],
  lost: 0,
  retryAfter: {},
  malformed: 0,
}
const start = performance.now()
const idle: Line[] = []
const waiting: number[] = []
let waitingFrom = 0
let open = 0
let isOver = false

const count = (counts: Record<string, number>, name: string) => {
  counts[name] = (counts[name] ?? 0) + 1
}

function note(line: Line, status: number, head: string, body: string): void {
  count(result.statuses, String(status))
  const second = Math.floor((line.due - start) / 1000)
  const latencies = status === 200 ? result.accepted : result.refused
  latencies[second] ??= []
  latencies[second]?.push(performance.now() - line.due)
  if (status === 200) return
  count(result.retryAfter, /\r\nretry-after: (\d+)/i.exec(head)?.[1] ?? 'none')
  if (!/"error_code":"PLANNED_MAINTENANCE"/.test(body)) result.malformed += 1
}

function read(line: Line, chunk: string): void {
  line.buffer += chunk
  const end = line.buffer.indexOf('\r\n\r\n')
  if (end < 0) return
  const head = line.buffer.slice(0, end)
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
  if (line.buffer.length < end + 4 + length) return
  note(line, Number(head.slice(9, 12)), head, line.buffer.slice(end + 4))
  line.buffer = ''
  line.busy = false
  next(line)
}

/** Sends what waits on a connection that is free. */
function next(line: Line): void {
  const due = plan.rate === undefined ? performance.now() : waiting[waitingFrom]
  if (isOver || due === undefined) return void idle.push(line)
  if (plan.rate !== undefined) waitingFrom += 1
  send(line, due)
}

function send(line: Line, due: number): void {
  line.due = due
  line.busy = true
  line.socket.write(requests[result.sent % requests.length] as string)
  result.sent += 1
}

function openLine(due: number): void {
  open += 1
  const socket = connect(Number(port), hostname)
  socket.setEncoding('latin1')
  const line: Line = { socket, due, buffer: '', busy: true }
  socket.on('connect', () => send(line, due))
  socket.on('data', (chunk: string) => read(line, chunk))
  socket.on('error', () => {})
  socket.on('close', () => {
    open -= 1
    if (line.busy) result.lost += 1
  })
}

async function sendAtRate(rate: number): Promise<void> {
  const all = rate * plan.seconds
  for (let made = 0; made < all; ) {
    const due = Math.min(all, Math.floor(((performance.now() - start) / 1000) * rate))
    for (; made < due; made += 1) {
      const at = start + (made / rate) * 1000
      const line = idle.pop()
      if (line) send(line, at)
      else if (open < plan.connections) openLine(at)
      else waiting.push(at)
    }
    await sleep(1)
  }
}

if (plan.rate === undefined) {
  for (let made = 0; made < plan.connections; made += 1) openLine(performance.now())
  await sleep(plan.seconds * 1000)
} else {
  await sendAtRate(plan.rate)
}
isOver = plan.rate === undefined
const patience = performance.now() + 15_000
while (performance.now() < patience && idle.length < open) await sleep(20)
process.stdout.write(JSON.stringify(result), () => process.exit())
