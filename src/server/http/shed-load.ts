import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type ApiError, toErrorBody } from '../kernel/errors.ts'
import { newRequestTrace, noTelemetry, type Telemetry } from '../kernel/telemetry.ts'
import type { ConcurrencyLimiter } from '../pipeline/concurrency-limiter.ts'
import type { Headers } from '../pipeline/credentials.ts'
import type { FairShares, Share } from '../pipeline/fair-shares.ts'
import { Overloaded } from '../pipeline/overloaded-error.ts'
import { peerAddress } from '../pipeline/peer-address.ts'
import { createBodyMemoryLimit } from './limit-body-memory.ts'
import { noSniffing } from './security-headers.ts'

/** What an early rejection needs. */
interface Shedding {
  limiter: ConcurrencyLimiter
  /** Whose share of the service a request takes. */
  shareOf: FairShares['of']
  newRequestId(): string
  docsUrl(): string | undefined
  telemetry: Telemetry
  /** The operation of a path. */
  operations: ReadonlyMap<string, string>
}

const shortBody = 4096

/**
 * Rejects operations that would have to wait too long, before their bodies are read. Other requests,
 * such as health checks, are answered all the same.
 */
export function shedLoad(app: FastifyInstance, shedding: Shedding): void {
  const { limiter } = shedding
  const shareOf = (request: FastifyRequest) =>
    shedding.shareOf({ headers: request.headers as Headers, peer: () => request.ip })
  const room = createBodyMemoryLimit()
  app.addHook('onRequest', (request, _reply, done) => {
    if (isHealth(request.url)) return done()
    const excess = limiter.excessWaitMs(() => shareOf(request))
    if (excess !== undefined) return done(Overloaded.after(excess))
    // What is no operation is answered without waiting, once it is its turn.
    if (request.method !== 'POST' && !request.url.startsWith('/images/')) {
      return void limiter.run(atOnce, shareOf(request)).then(() => done(), done)
    }
    done()
  })
  app.addHook('preParsing', (request, reply, body, done) => {
    if (mayBeLong(request)) room.watch(body as Readable, reply.raw, peerAddress(request.ip))
    done(null, body)
  })
  rejectEarly(app, shedding)
}

const toShare = ({ headers, socket }: IncomingMessage, { shareOf }: Shedding): Share =>
  shareOf({ headers: headers as Headers, peer: () => socket.remoteAddress })

const atOnce = async () => {}

/** Health checks are answered under overload too, since an operator needs them most then. */
const isHealth = (url: string): boolean => /^\/(livez|readyz)(\?|$)/.test(url)

/**
 * Rejects before any other hook runs, at half the cost, since rejections must not use up the capacity
 * for answers. Requests of browsers need headers that a later hook sets.
 */
function rejectEarly(app: FastifyInstance, shedding: Shedding): void {
  const handle = app.server.listeners('request') as RequestListener[]
  app.server.removeAllListeners('request')
  app.server.on('request', (request, response) => {
    const isRefused = request.headers.origin === undefined && !isHealth(request.url ?? '')
    const excess = isRefused
      ? shedding.limiter.excessWaitMs(() => toShare(request, shedding))
      : undefined
    if (excess !== undefined) reject(request, response, Overloaded.after(excess), shedding)
    else for (const listener of handle) listener(request, response)
  })
}

function reject(
  request: IncomingMessage,
  response: ServerResponse,
  error: ApiError,
  { newRequestId, docsUrl, telemetry, operations }: Shedding,
): void {
  const requestId = newRequestId()
  const body = JSON.stringify(toErrorBody(error, { requestId, docsUrl: docsUrl() }))
  const bytes = Buffer.byteLength(body)
  response.writeHead(error.status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': bytes,
    [noSniffing[0]]: noSniffing[1],
    'Request-Id': requestId,
    'Retry-After': String(error.retryAfter),
  })
  response.end(body)
  if (telemetry === noTelemetry) return
  const { method = 'none', url = '' } = request
  const operation = operations.get(url) ?? 'none'
  const known = { requestId, method, operation, errorCode: error.code, shed: true }
  const ended = telemetry.request(newRequestTrace(known))
  ended({ status: error.status, ms: 0, bytes })
}

/** Whether a body may hold more than a connection costs anyway. */
const mayBeLong = ({ headers, routeOptions }: FastifyRequest): boolean =>
  // What a route reads as a stream must not flow before the route reads it.
  !routeOptions.config?.streams &&
  (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > shortBody)
