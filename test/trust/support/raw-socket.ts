import { connect, type Socket } from 'node:net'

/** A connection on which a test writes what it wants. */
export interface RawSocket {
  socket: Socket
  /** All that has come so far. */
  text(): string
  /** Whether the other side has ended it, and how long after it was opened, in ms. */
  closed: Promise<number>
}

/** Opens a connection to a service; one that fails is one that is closed. */
export async function openRaw(url: string): Promise<RawSocket> {
  const { hostname, port } = new URL(url)
  const begun = performance.now()
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.on('error', () => {})
  const closed = new Promise<number>((resolve) =>
    socket.once('close', () => resolve(performance.now() - begun)),
  )
  await new Promise<void>((resolve) => {
    socket.once('connect', () => resolve())
    socket.once('close', () => resolve())
  })
  return { socket, text: () => text, closed }
}

/** A request in bytes. */
export function toRequest(
  path: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): string {
  const all = { Host: '127.0.0.1', 'Content-Length': String(Buffer.byteLength(body)), ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return `POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`
}
