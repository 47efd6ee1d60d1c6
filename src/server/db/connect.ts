import { connect, type Socket } from 'node:net'

/** Where the driver wants to go: what an address leaves open it takes from the environment. */
interface Destination {
  host: readonly string[]
  port: readonly number[]
  path: string | false
}

/**
 * Makes the connection that the driver talks on. The driver itself would let go of a dead one only
 * when the system does, and try an address again and again that rejects.
 */
export function dial(
  url: string,
  { host, port, path }: Destination,
  longestMs: number,
): Promise<Socket> {
  // NOTE: of an IPv6 address the driver takes what stands before its first colon.
  const name = new URL(url).hostname.replaceAll(/[[\]]/g, '') || (host[0] ?? 'localhost')
  const socket = path ? connect(path) : connect({ host: name, port: port[0] ?? 5432 })
  // The driver takes the name for TLS, and both for its messages, from here.
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
