import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A port that nothing listens on, for programs that cannot choose one. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return port
}
