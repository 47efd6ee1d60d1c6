import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMain } from '../contract/contract.ts'
import { percentile } from './statistics.ts'

// The only sender of load: closed loop or open loop, in this process or, started as a program, in
// one of its own. autocannon sends the requests of a rate in bursts, one at the start of each second.

/** One request as it is sent. */
export interface Sending {
  path: string
  headers: Record<string, string>
  /** Each `[<id>]` in it is replaced by a text that no other request has. */
  body: string
}

export interface Load {
  /** Connections are spread over these evenly. */
  urls: readonly string[]
  /** Sent by turns. */
  requests: readonly Sending[]
  seconds: number
  connections: number
  /**
   * Requests a second, whatever the responses do, and timed from when each was due. Without it, each
   * connection sends its next request as soon as it has a response.
   */
  rate?: number
  /** The most requests that are sent. */
  most?: number
}

export interface Sent {
  sent: number
  /** How often each status was received. */
  statuses: Record<string, number>
  /** Requests without a response, and the codes of their connections' errors. */
  failed: number
  errors: string[]
  seconds: number
  /** Of the responses with status 200: bytes of all of them, and their times in ms. */
  bytes: number
  p50: number
  p99: number
  /** CPU seconds that the sender used. */
  cpu: number
}

export interface Received {
  status: number
  head: string
  body: string
  /** In ms since the first request was due: when this one was, and when its response was complete. */
  due: number
  at: number
}

interface Connection {
  socket: Socket
  due: number
  isBusy: boolean
  /** Since when it has no request under way. */
  idleSince: number
  text: string
}

/** At a rate, the other connections are opened once these do not suffice. */
const openedFirst = 100
const patienceMs = 15_000
/** A service ends connections that send nothing for long; those idle for longer are not used again. */
const idleMs = 5000

/** Sends a load, and waits for its responses. */
export async function send(load: Load, onReceived?: (received: Received) => void): Promise<Sent> {
  const { urls, requests, seconds, connections, rate, most = Number.POSITIVE_INFINITY } = load
  const texts = requests.map((request) => toText(request, new URL(urls[0] ?? '').host))
  const total = rate === undefined ? most : Math.round(rate * seconds)
  const statuses: Record<string, number> = {}
  const errors = new Set<string>()
  const times: number[] = []
  const all = new Set<Connection>()
  const idle: Connection[] = []
  /** When the requests were due that have no connection yet. */
  const waiting: number[] = []
  let [opened, sent, received, lost, bytes, begun] = [0, 0, 0, 0, 0, 0]

  function sendOn(connection: Connection, due: number): void {
    Object.assign(connection, { due, isBusy: true, text: '' })
    connection.socket.write(texts[sent % texts.length]?.(sent) ?? '')
    sent += 1
  }

  /** Sends what a connection that is free has to send next. */
  function sendNext(connection: Connection): void {
    const now = performance.now()
    const isOver = sent >= total || now >= begun + seconds * 1000
    const due = rate !== undefined ? waiting.shift() : isOver ? undefined : now
    if (due === undefined) {
      connection.idleSince = now
      idle.push(connection)
    } else sendOn(connection, due)
  }

  function takeIdle(): Connection | undefined {
    for (let free = idle.pop(); free; free = idle.pop()) {
      if (!free.socket.destroyed && performance.now() - free.idleSince < idleMs) return free
      free.socket.destroy()
    }
    return undefined
  }

  function receive(connection: Connection, chunk: string): void {
    // What a service says when it ends a connection that sends nothing answers no request.
    if (!connection.isBusy) {
      connection.socket.destroy()
      return
    }
    connection.text += chunk
    const { text, due } = connection
    const headEnd = text.indexOf('\r\n\r\n')
    const head = text.slice(0, headEnd)
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
    const isComplete = length
      ? text.length >= headEnd + 4 + Number(length)
      : text.endsWith('\r\n0\r\n\r\n')
    if (headEnd < 0 || !isComplete) return
    const [at, status] = [performance.now(), Number(head.slice(9, 12))]
    received += 1
    statuses[status] = (statuses[status] ?? 0) + 1
    if (status === 200) {
      times.push(at - due)
      bytes += text.length
    }
    onReceived?.({ status, head, body: text.slice(headEnd + 4), due: due - begun, at: at - begun })
    connection.isBusy = false
    sendNext(connection)
  }

  async function open(): Promise<Connection> {
    const { hostname, port } = new URL(urls[opened % urls.length] ?? '')
    opened += 1
    const socket = connect(Number(port), hostname).setEncoding('latin1').setNoDelay()
    const idleSince = performance.now()
    const connection: Connection = { socket, due: 0, isBusy: false, idleSince, text: '' }
    all.add(connection)
    socket.on('data', (chunk) => receive(connection, String(chunk)))
    socket.on('error', (error: NodeJS.ErrnoException) => errors.add(error.code ?? error.message))
    socket.on('close', () => {
      all.delete(connection)
      if (connection.isBusy) lost += 1
    })
    await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))
    return connection
  }

  /** Sends on a connection that is free, on a new one, or once one is free. */
  function sendAt(due: number): void {
    const free = takeIdle()
    if (free) sendOn(free, due)
    else waiting.push(due)
    if (!free && all.size < connections) void open().then(sendNext)
  }

  idle.push(
    ...(await Promise.all(Array.from({ length: Math.min(connections, openedFirst) }, open))),
  )
  const cpu = process.cpuUsage()
  begun = performance.now()
  if (rate === undefined) for (const connection of idle.splice(0)) sendNext(connection)
  else {
    for (let made = 0; made < total; await sleep(1)) {
      // The first one is due at once.
      const due = Math.min(total, 1 + Math.floor(((performance.now() - begun) / 1000) * rate))
      for (; made < due; made += 1) sendAt(begun + (made / rate) * 1000)
    }
  }
  const end = begun + seconds * 1000 + patienceMs
  const isDone = () => received + lost >= sent && waiting.length === 0
  while (!isDone() && performance.now() < end) await sleep(1)
  const took = (performance.now() - begun) / 1000
  const { user, system } = process.cpuUsage(cpu)
  for (const { socket } of all) socket.destroy()
  return {
    sent,
    statuses,
    failed: sent + waiting.length - received,
    errors: [...errors],
    seconds: took,
    bytes,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    cpu: (user + system) / 1e6,
  }
}

/** The text of a request, for its number. */
function toText({ path, headers, body }: Sending, host: string): (number: number) => string {
  // Of each load: a server that is loaded again has the ids of the loads before.
  const stamp = `${Date.now().toString(36)}-${process.pid}`
  const lines = Object.entries({ Host: host, ...headers }).map((pair) => pair.join(': '))
  const write = (text: string) =>
    [
      `POST ${path} HTTP/1.1`,
      ...lines,
      `Content-Length: ${Buffer.byteLength(text)}`,
      '',
      text,
    ].join('\r\n')
  const whole = write(body)
  if (!body.includes('[<id>]')) return () => whole
  return (number) => write(body.replaceAll('[<id>]', `${stamp}-${number}`))
}

if (isMain(import.meta.filename)) {
  process.on('message', async (load: Load) => process.send?.(await send(load)))
  // The process that started this one is gone.
  process.on('disconnect', () => process.exit())
}
