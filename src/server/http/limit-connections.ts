import type { RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'

/** A chunk of input may hold thousands of requests, each of which is an object once it is parsed. */
const parsedAtOnce = 1024
/** While so many requests of a connection wait, no more are parsed; headers may have 16 KiB. */
const parsedAhead = 1
/** How many connections are open at once; a new one then closes the one that is idle for longest. */
const mostConnections = 12_000
/** How many bytes connections that do not read make the service hold, all together. */
const mostUnsent = 24 * 1024 * 1024
/** What such a connection holds beside its response and its input. */
const heldBeside = 32 * 1024
/** What a request that waits holds beside its headers. */
const heldByRequest = 4 * 1024

type Exchange = Parameters<RequestListener>

declare module 'fastify' {
  interface FastifyInstance {
    /** Runs `work` once all requests that came on a connection before now have been answered. */
    afterResponses(socket: Duplex, work: () => void): void
    /**
     * Runs `work` unless a request has arrived on the connection once what the system holds of it has
     * been read. A process that was busy or suspended finds the time of a request over before it has
     * read it.
     */
    unlessArrived(socket: Duplex, work: () => void): void
  }
}

interface Connection {
  /** The response that is under way; further requests wait for its end. */
  current: ServerResponse | undefined
  waiting: Exchange[]
  /** How many requests have come, their bodies perhaps not yet. */
  requests: number
  /** Whether it has ever sent a request before the one before it was answered. */
  isPipelined: boolean
  /** What is to be done once nothing is under way. */
  atEnd: (() => void) | undefined
}

/**
 * Bounds what connections make the service hold. The requests of a connection are answered one after
 * the other: the next one begins once the response before it has been sent. So a client that does not
 * read holds one response, and the service reads no more of the connection.
 */
export function limitConnections(app: FastifyInstance): void {
  const { server } = app
  const connections = new WeakMap<Socket, Connection>()
  const idle = createIdle()
  const unsent = createUnsent((socket) => heldBy(socket, connections.get(socket)))
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
    if (socket.writableLength > 0) unsent.count(socket)
  }

  /** Counts the input of a connection that does not read. */
  function noteInput(socket: Socket): void {
    if (unsent.has(socket)) unsent.count(socket)
  }

  function next(this: ServerResponse): void {
    const { socket } = this.req
    const connection = connections.get(socket)
    unsent.delete(socket)
    // After the last response of a connection nothing more can be answered on it.
    if (!connection || !socket.writable) return
    const exchange = connection.waiting.shift()
    // Not at once: as long as each response is sent at once, nothing else would run.
    if (exchange) {
      connection.current = exchange[1]
      setImmediate(run, connection, exchange)
    } else {
      connection.current = undefined
      idle.add(socket)
      connection.atEnd?.()
    }
    if (connection.waiting.length < parsedAhead && socket.isPaused()) socket.resume()
  }

  app.decorate('afterResponses', (socket, work) => {
    const connection = connections.get(socket as Socket)
    const [unfinished] = connection?.waiting.at(-1) ?? []
    // Its body will not come, so it is never answered.
    if (unfinished?.complete === false) connection?.waiting.pop()
    if (connection?.current && !awaitsBody(connection.current)) connection.atEnd ??= work
    else work()
  })
  app.decorate('unlessArrived', (socket, work) => {
    const connection = connections.get(socket as Socket)
    const before = connection?.requests
    // Timers run before input is read, and this after it.
    setImmediate(() => {
      const { current, requests } = connection ?? {}
      if (requests === before && (!current || awaitsBody(current))) work()
    })
  })
  server.on('connection', (socket: Socket) => {
    const connection: Connection = {
      current: undefined,
      waiting: [],
      requests: 0,
      isPipelined: false,
      atEnd: undefined,
    }
    connections.set(socket, connection)
    idle.connected(socket)
    // Node reads this in its own listener, which comes next. A client that pipelines may end its side
    // with its last request, and is answered all the same; any other one has left by that.
    socket.prependListener('end', () => {
      Object.assign(server, { httpAllowHalfOpen: connection.isPipelined })
    })
    parseInPieces(socket, {
      hasEnough: () => connection.waiting.length >= parsedAhead,
      paused: () => noteInput(socket),
    })
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
    connection.requests += 1
    if (!connection.current) return run(connection, exchange)
    connection.waiting.push(exchange)
    connection.isPipelined = true
    noteInput(socket)
  })
}

/** Whether nothing can be answered yet, since the body is not there. */
const awaitsBody = ({ req, headersSent }: ServerResponse): boolean => !req.complete && !headersSent

/** How many bytes a connection makes the service hold. */
function heldBy(socket: Socket, connection: Connection | undefined): number {
  let bytes = heldBeside + socket.writableLength + socket.readableLength
  for (const [{ rawHeaders }] of connection?.waiting ?? []) {
    bytes += heldByRequest
    for (const text of rawHeaders) bytes += text.length
  }
  return bytes
}

/** Hands input to the parser in pieces, and leaves it in the socket as long as there is enough. */
function parseInPieces(
  socket: Socket,
  { hasEnough, paused }: { hasEnough(): boolean; paused(): void },
): void {
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
    paused()
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

/**
 * What the connections hold whose responses wait to be sent. Where it is too much, the one ends that
 * has read nothing for longest. Those that have read since they were counted are counted again.
 */
function createUnsent(measure: (socket: Socket) => number) {
  const held = new Map<Socket, number>()
  let total = 0
  function drop(socket: Socket): void {
    total -= held.get(socket) ?? 0
    held.delete(socket)
  }
  /** One that is counted already keeps its place. */
  function set(socket: Socket, bytes: number): void {
    total += bytes - (held.get(socket) ?? 0)
    held.set(socket, bytes)
  }
  function makeRoom(): void {
    while (total > mostUnsent) {
      const [oldest, counted] = held.entries().next().value ?? []
      if (!oldest || counted === undefined) return
      const bytes = measure(oldest)
      drop(oldest)
      // Once all have been looked at, none has read more in between.
      if (bytes < counted) set(oldest, bytes)
      else oldest.destroy()
    }
  }
  return {
    delete: drop,
    has: (socket: Socket) => held.has(socket),
    count(socket: Socket): void {
      set(socket, measure(socket))
      makeRoom()
    },
  }
}
