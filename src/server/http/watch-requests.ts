import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  newRequestTrace,
  noTelemetry,
  type RequestTrace,
  type Telemetry,
} from '../kernel/telemetry.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Where anybody watches, what becomes known of the request. */
    trace?: RequestTrace
  }
}

/** The parts of the service that are no operations, by the beginning of their routes. */
const parts: readonly [route: string, name: string][] = [
  ['/livez', 'health'],
  ['/readyz', 'health'],
  ['/dashboard/', 'dashboard'],
  ['/hosted/', 'hosted pages'],
  ['/link/v1/', 'hosted pages'],
  ['/mcp', 'agents'],
  ['/images/', 'images'],
  ['/simplefin/', 'SimpleFIN server'],
  ['/:folder', 'icons'],
  ['/.well-known/', 'metadata'],
  ['/', 'docs'],
]

/** Reports the start and the end of each request to telemetry, also when the connection breaks. */
export function watchRequests(
  app: FastifyInstance,
  telemetry: Telemetry,
  operations: ReadonlyMap<string, string>,
): void {
  // Without telemetry the hook would only cost time.
  if (telemetry === noTelemetry) return
  app.decorateRequest('trace')
  app.addHook('onRequest', (request, reply, done) => {
    const trace = traceOf(request, operations)
    request.trace = trace
    const ended = telemetry.request(trace)
    const begun = performance.now()
    const { raw } = reply
    raw.once('close', () => {
      const bytes = Number(reply.getHeader('content-length') ?? 0)
      const status = raw.writableFinished ? raw.statusCode : undefined
      ended({ status, ms: performance.now() - begun, bytes })
    })
    done()
  })
}

/** The name is one of a few, whatever is asked for. */
function traceOf(request: FastifyRequest, operations: ReadonlyMap<string, string>): RequestTrace {
  const { url: route = '' } = request.routeOptions
  const part = parts.find(([beginning]) => route.startsWith(beginning))?.[1]
  const { traceparent } = request.headers
  return newRequestTrace({
    requestId: request.id,
    method: request.method,
    traceparent: typeof traceparent === 'string' ? traceparent : undefined,
    operation: operations.get(route) ?? part ?? 'none',
  })
}
