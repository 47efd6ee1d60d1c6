import { connect, type Socket } from 'node:net'

/**
 * The host, port and path that the driver connects to. It takes missing parts of the address from
 * the environment.
 */
interface Destination {
  host: readonly string[]
  port: readonly number[]
  path: string | false
}

/**
 * Opens the socket for the driver. The driver alone would keep a dead connection until the
 * operating system closes it, and would retry a rejecting address forever.
 */
export function dial(
  url: string,
  { host, port, path }: Destination,
  longestMs: number,
): Promise<Socket> {
  // NOTE: of an IPv6 address the driver keeps only the part before the first colon.
  const name = new URL(url).hostname.replaceAll(/[[\]]/g, '') || (host[0] ?? 'localhost')
  const socket = path ? connect(path) : connect({ host: name, port: port[0] ?? 5432 })
  // The driver reads the host name for TLS from here, and host and port for its messages.
  Object.assign(socket, { host: name, port: port[0] })
  socket.setNoDelay()
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      socket.destroy(Object.assign(new Error(`connect ETIMEDOUT ${name}`), { code: 'ETIMEDOUT' }))
    }, longestMs)
    socket.once('connect', () => {
      clearTimeout(timer)
      socket.removeListener('error', reject)
      resolve(socket)
    })
    socket.once('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
  })
}
