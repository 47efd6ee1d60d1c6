import type { RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'

/** A chunk of input may hold thousands of requests, each of which is an object once it is parsed. */
const parsedAtOnce = 1024
/** How many requests of a connection are parsed while an earlier one is under way. */
const parsedAhead = 16
/** How many connections are open at once; a new one then closes the one that is idle for longest. */
const mostConnections = 12_000
/** How many bytes of responses wait to be sent, over all connections. */
const mostUnsent = 48 * 1024 * 1024
/** What a connection that does not read can make the service hold beside its response. */
const heldBeside = 32 * 1024

type Exchange = Parameters<RequestListener>

declare module 'fastify' {
  interface FastifyInstance {
    /** Runs `work` once all requests that came on a connection before now have been answered. */
    afterResponses(socket: Duplex, work: () => void): void
  }
}

interface Connection {
  /** The response that is under way; further requests wait for its end. */
  current: ServerResponse | undefined
  waiting: Exchange[]
  /** What is to be done once nothing is under way. */
  atEnd: (() => void) | undefined
}

/**
 * Bounds what connections make the service hold. The requests of a connection are answered one after
 * the other: the next one begins once the response before it has been sent. So whoever reads nothing
 * holds one response, and the service reads no more of the connection.
 */
export function limitConnections(app: FastifyInstance): void {
  const { server } = app
  const connections = new WeakMap<Socket, Connection>()
  const idle = createIdle()
  const unsent = createUnsent()
  const handle = server.listeners('request') as RequestListener[]
  server.removeAllListeners('request')

  function run(connection: Connection, [request, response]: Exchange): void {
    connection.current = response
    response.once('prefinish', noteUnsent)
    response.once('close', next)
    for (const listener of handle) listener.call(server, request, response)
  }

  function noteUnsent(this: ServerResponse): void {
    const { socket } = this.req
    if (socket.writableLength > 0) unsent.add(socket, socket.writableLength)
  }

  function next(this: ServerResponse): void {
    const { socket } = this.req
    const connection = connections.get(socket)
    unsent.delete(socket)
    // After the last response of a connection nothing more can be answered on it.
    if (!connection || !socket.writable) return
    const exchange = connection.waiting.shift()
    // Not at once: as long as each response is sent at once, nothing else would run.
    if (exchange) setImmediate(run, connection, exchange)
    else {
      connection.current = undefined
      idle.add(socket)
      connection.atEnd?.()
    }
    if (connection.waiting.length < parsedAhead && socket.isPaused()) socket.resume()
  }

  app.decorate('afterResponses', (socket, work) => {
    const connection = connections.get(socket as Socket)
    if (connection?.current) connection.atEnd ??= work
    else work()
  })
  server.on('connection', (socket: Socket) => {
    const connection: Connection = { current: undefined, waiting: [], atEnd: undefined }
    connections.set(socket, connection)
    idle.connected(socket)
    parseInPieces(socket, () => connection.waiting.length >= parsedAhead)
    socket.once('close', () => {
      idle.closed(socket)
      unsent.delete(socket)
      connections.delete(socket)
    })
  })
  server.on('request', (...exchange) => {
    const { socket } = exchange[0]
    const connection = connections.get(socket)
    if (!connection) return
    idle.delete(socket)
    if (!connection.current) return run(connection, exchange)
    connection.waiting.push(exchange)
  })
}

/** Hands input to the parser in pieces, and leaves it in the socket as long as there is enough. */
function parseInPieces(socket: Socket, hasEnough: () => boolean): void {
  const [parse] = socket.listeners('data') as ((chunk: Buffer) => void)[]
  if (!parse) return
  socket.removeListener('data', parse)
  socket.on('data', (chunk: Buffer) => {
    if (chunk.length <= parsedAtOnce && !hasEnough()) return parse(chunk)
    let at = 0
    // Node pauses the socket, and its parser, where it cannot send.
    while (at < chunk.length && !socket.isPaused() && !hasEnough()) {
      parse(chunk.subarray(at, at + parsedAtOnce))
      at += parsedAtOnce
    }
    if (socket.destroyed || at >= chunk.length) return
    // Not earlier: Node resumes the socket after each request that it has parsed.
    socket.pause()
    socket.unshift(chunk.subarray(at))
  })
}

/** The connections without a request, the one that has been so for longest first. */
function createIdle() {
  const idle = new Set<Socket>()
  let count = 0
  return {
    add: (socket: Socket) => void idle.add(socket),
    delete: (socket: Socket) => void idle.delete(socket),
    connected(socket: Socket): void {
      count += 1
      if (count > mostConnections) (idle.values().next().value ?? socket).destroy()
      idle.add(socket)
    },
    closed(socket: Socket): void {
      count -= 1
      idle.delete(socket)
    },
  }
}

/** The connections whose responses wait to be sent; those that wait longest end where it is too much. */
function createUnsent() {
  const held = new Map<Socket, number>()
  let total = 0
  function drop(socket: Socket): void {
    total -= held.get(socket) ?? 0
    held.delete(socket)
  }
  return {
    delete: drop,
    add(socket: Socket, bytes: number): void {
      drop(socket)
      held.set(socket, bytes + heldBeside)
      total += bytes + heldBeside
      while (total > mostUnsent) {
        const oldest = held.keys().next().value
        if (!oldest) return
        drop(oldest)
        oldest.destroy()
      }
    },
  }
}
