import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

/** A way to a server that can be cut, as by a restart of that server. */
export interface Line {
  port: number
  /** Ends all connections; new ones are taken at once. */
  cut(): void
  /** Ends all connections, and rejects new ones. */
  close(): Promise<void>
  /** Takes connections again. */
  open(): Promise<void>
}

/** Opens a line to an address, on a free port that it keeps. */
export async function openLine(host: string, port: number): Promise<Line> {
  const sockets = new Set<Socket>()
  const join = (near: Socket) => {
    const far = connect(port, host)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      from.pipe(to)
    }
  }
  let server = createServer(join)
  const listen = (place: number) =>
    new Promise<void>((resolve) => server.listen(place, '127.0.0.1', resolve))
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  await listen(0)
  const own = (server.address() as AddressInfo).port
  return {
    port: own,
    cut,
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      cut()
      return closed
    },
    async open() {
      server = createServer(join)
      await listen(own)
    },
  }
}
