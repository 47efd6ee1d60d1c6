import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type ApiError, toErrorBody } from '../errors.ts'
import { noTelemetry, type Telemetry } from '../observe/telemetry.ts'
import { Overloaded } from '../overloaded.ts'
import { maximumBody } from '../parse-body.ts'
import type { Places } from '../places.ts'

/** What a refusal needs. */
export interface Shedding {
  places: Places
  newRequestId(): string
  publicUrl(): string
  telemetry: Telemetry
  /** The operation of a path. */
  operations: ReadonlyMap<string, string>
}

/** Bodies that are longer than this share the room below: nobody has shown yet who sends them. */
const longBody = 4096
const roomForLongBodies = 64 * maximumBody

/**
 * Refuses operations that would have to wait too long, before their bodies are read; whoever asks
 * for something else, such as whether the service is ready, is answered all the same.
 */
export function shedLoad(app: FastifyInstance, shedding: Shedding): void {
  const { places } = shedding
  const room = createRoom()
  app.addHook('onRequest', (request, reply, done) => {
    if (isHealth(request.url)) return done()
    const excess = places.excess()
    if (excess !== undefined) return done(Overloaded.after(excess))
    // What is no operation is answered without waiting, once it is its turn.
    if (request.method !== 'POST') return void places.pass(atOnce).then(() => done(), done)
    const length = lengthOf(request)
    if (length > longBody && !room.take(length, reply.raw)) return done(Overloaded.after(0))
    done()
  })
  app.addHook('preParsing', (request, reply, body, done) => {
    if (isChunked(request)) takeAsItComes(body, reply.raw, room)
    done(null, body)
  })
  refuseEarly(app, shedding)
}

/** Nobody knows how long such a body becomes; what has come of it takes room. */
function takeAsItComes(body: Readable, response: ServerResponse, room: Room): void {
  let came = 0
  body.on('data', (chunk: Buffer) => {
    came += chunk.length
    // What is longer is refused for that, read away, and held by nobody.
    if (came > maximumBody || room.take(chunk.length, response)) return
    // Whoever reads the body then ends with this refusal.
    if (body.listenerCount('error') > 0) body.emit('error', Overloaded.after(0))
  })
}

const atOnce = async () => {}

/** Whoever runs the service is told how it is, above all when it has too much to do. */
const isHealth = (url: string): boolean => /^\/(livez|readyz)(\?|$)/.test(url)

interface Room {
  /** Takes so many bytes until the response is closed; false where there are not as many. */
  take(bytes: number, response: ServerResponse): boolean
}

function createRoom(): Room {
  const taken = new WeakMap<ServerResponse, number>()
  let held = 0
  return {
    take(bytes, response) {
      if (held + bytes > roomForLongBodies) return false
      const before = taken.get(response)
      taken.set(response, (before ?? 0) + bytes)
      held += bytes
      if (before === undefined) {
        response.once('close', () => {
          held -= taken.get(response) ?? 0
        })
      }
      return true
    },
  }
}

/**
 * The same before anything else looks at the request, at half the cost: a refusal must not take what
 * an answer needs. Browsers need the headers that come later.
 */
function refuseEarly(app: FastifyInstance, shedding: Shedding): void {
  const handle = app.server.listeners('request') as RequestListener[]
  app.server.removeAllListeners('request')
  app.server.on('request', (request, response) => {
    const isRefused = request.headers.origin === undefined && !isHealth(request.url ?? '')
    const excess = isRefused ? shedding.places.excess() : undefined
    if (excess !== undefined) refuse(request, response, Overloaded.after(excess), shedding)
    else for (const listener of handle) listener(request, response)
  })
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  error: ApiError,
  { newRequestId, publicUrl, telemetry, operations }: Shedding,
): void {
  const requestId = newRequestId()
  const body = JSON.stringify(toErrorBody(error, { requestId, publicUrl: publicUrl() }))
  const bytes = Buffer.byteLength(body)
  response.writeHead(error.status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': bytes,
    'Request-Id': requestId,
    'Retry-After': String(error.retryAfter),
  })
  response.end(body)
  if (telemetry === noTelemetry) return
  const ended = telemetry.request({
    requestId,
    method: request.method ?? 'none',
    traceparent: undefined,
    operation: operations.get(request.url ?? '') ?? 'none',
    clientId: undefined,
    version: undefined,
    errorCode: error.code,
    injected: false,
    shed: true,
  })
  ended({ status: error.status, ms: 0, bytes })
}

const isChunked = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined

/** How long a body says that it is; what is too long is refused for that, and held by nobody. */
function lengthOf({ headers }: FastifyRequest): number {
  const length = Number(headers['content-length'] ?? 0)
  return length > maximumBody ? 0 : length
}
