import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

export interface Place {
  port: number
  host: string
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Listens on as many sockets as the system lets share an address, and returns that. */
    listenWidely(place: Place): Promise<string>
    /** Takes no new connections; those that are there go on. */
    stopListening(): void
  }
}

// One iteration of the event loop accepts one connection from each socket. Under load an iteration
// takes as long as all pending requests, so with one socket new connections would wait for minutes.
const socketsOfAnAddress = process.platform === 'linux' ? 64 : 1
/** How many may be connecting at once to each; the system makes it less where it allows less. */
const backlog = 4096

export function listenWidely(app: FastifyInstance): void {
  const servers: Server[] = []
  const closed: Promise<unknown>[] = []
  const connect = (socket: Socket) => void app.server.emit('connection', socket)

  async function listenAt(place: Place): Promise<void> {
    for (let count = 0; count < socketsOfAnAddress; count += 1) {
      const server = createServer({ allowHalfOpen: true, noDelay: true }, connect)
      await bind(server, { ...place, reusePort: socketsOfAnAddress > 1 })
      servers.push(server)
    }
  }

  app.decorate('listenWidely', async ({ port, host }: Place) => {
    const [first = host, ...others] = await addressesOf(host)
    await app.ready()
    const free = await withoutOthers(port, async () => {
      const found = await findFree({ port, host: first })
      await listenAt({ port: found, host: first })
      // A system may lack one of the addresses that a name has.
      for (const other of others) await listenAt({ port: found, host: other }).catch(() => {})
      return found
    })
    // From here on the HTTP server watches who takes too long.
    app.server.emit('listening')
    return toUrl(first, free)
  })
  app.decorate('stopListening', () => {
    for (const server of servers.splice(0)) {
      closed.push(once(server, 'close'))
      server.close()
    }
  })
  app.addHook('preClose', async () => app.stopListening())
  app.addHook('onClose', async () => void (await Promise.all(closed)))
}

/** `localhost` is an address of each kind. */
const addressesOf = async (host: string): Promise<string[]> =>
  host === 'localhost' ? (await lookup(host, { all: true })).map(({ address }) => address) : [host]

/** The port, once it is sure that nobody else has it: sockets that share one would not notice. */
async function findFree(place: Place): Promise<number> {
  const server = createServer()
  await bind(server, place)
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

// Listening takes milliseconds.
const patienceMs = 5000

/** Runs `work` while no other process does so for the same port: both would find it free. */
async function withoutOthers<Result>(port: number, work: () => Promise<Result>): Promise<Result> {
  if (socketsOfAnAddress === 1) return work()
  // A name without a file, which is gone with its process.
  const path = `\0financial-data-service-listens-${port}`
  const lock = createServer()
  for (const begun = performance.now(); ; await sleep(5)) {
    const failure = await bind(lock, { path }).catch((error: NodeJS.ErrnoException) => error)
    if (!failure) break
    if (failure.code !== 'EADDRINUSE' || performance.now() - begun > patienceMs) throw failure
  }
  try {
    return await work()
  } finally {
    lock.close()
  }
}

async function bind(
  server: Server,
  options: (Place & { reusePort?: boolean }) | { path: string },
): Promise<void> {
  const listening = once(server, 'listening')
  server.listen({ ...options, backlog })
  await listening
}

/** The address as this machine reaches it. */
function toUrl(host: string, port: number): string {
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`
}
