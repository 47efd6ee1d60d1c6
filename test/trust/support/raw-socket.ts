import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'

/** A connection on which a test writes what it wants. */
export interface RawSocket {
  socket: Socket
  /** Everything that has come so far. */
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

/** How many of these connections the service still has: what it has left may wait in the system. */
export function countHeld(clients: readonly RawSocket[]): number {
  const held = new Set<string>()
  // Of each connection of this machine: its place, its own address, the other's, …, its inode.
  for (const line of readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1)) {
    const [, own, other, , , , , , , inode] = line.trim().split(/\s+/)
    if (inode !== '0') held.add(`${portOf(own)} ${portOf(other)}`)
  }
  const isHeld = ({ socket: { localPort, remotePort } }: RawSocket) =>
    held.has(`${remotePort} ${localPort}`)
  return clients.filter(isHeld).length
}

const portOf = (address = ''): number => Number.parseInt(address.split(':')[1] ?? '', 16)
