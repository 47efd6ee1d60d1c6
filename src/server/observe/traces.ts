import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { RequestTrace, Telemetry } from '../kernel/telemetry.ts'

/** A collector that does not respond must not delay the end of the process. */
const longestGoodbyeMs = 2000

/**
 * Traces of requests, of what they do in the database, and of deliveries. Where they go, and how many
 * of them, the SDK reads from the variables that OpenTelemetry has for it.
 */
export function createTraces(version: string): Omit<Telemetry, 'denied' | 'imported' | 'pulled'> {
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(
        resourceFromAttributes({
          'service.name': 'financial-data-service',
          'service.version': version,
        }),
      )
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  })
  const tracer = provider.getTracer('financial-data-service', version)
  const spans = new WeakMap<RequestTrace, Span>()
  const current = new AsyncLocalStorage<Span>()
  return {
    request(requestTrace) {
      if (quiet.includes(requestTrace.operation)) return () => {}
      const options = {
        kind: SpanKind.SERVER,
        attributes: { 'http.request.method': requestTrace.method },
      }
      const span = tracer.startSpan(
        requestTrace.operation,
        options,
        parentOf(requestTrace.traceparent),
      )
      spans.set(requestTrace, span)
      return ({ status, bytes }) => {
        span.setAttributes(attributesOf(requestTrace, bytes))
        if (status !== undefined) span.setAttribute('http.response.status_code', status)
        if (status === undefined || status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
        span.end()
      }
    },
    within(requestTrace, work) {
      const span = spans.get(requestTrace)
      return span ? current.run(span, work) : work()
    },
    database(kind) {
      const parent = current.getStore()
      // Work in the background has no request to belong to, and what outlives one belongs to none.
      if (!parent?.isRecording()) return unwatched
      const span = tracer.startSpan(kind, { kind: SpanKind.CLIENT }, under(parent))
      return {
        begun: () => {},
        ended({ tries, waitedMs, failed }) {
          span.setAttributes({ 'fds.tries': tries, 'fds.waited_ms': waitedMs })
          if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        },
      }
    },
    delivery({ clientId, webhookId, webhook, url, attempt, status, error, ms, outcome }) {
      const now = Date.now()
      const span = tracer.startSpan(`deliver ${webhook}`, {
        kind: SpanKind.CLIENT,
        root: true,
        startTime: now - ms,
        attributes: {
          'server.address': URL.canParse(url) ? new URL(url).host : 'malformed',
          'fds.client_id': clientId,
          'fds.webhook_id': webhookId,
          'fds.attempt': attempt,
          'fds.outcome': outcome,
          'http.response.status_code': status ?? undefined,
          'error.type': error ?? undefined,
        },
      })
      if (status === null || status >= 400) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end(now)
    },
    async close() {
      const late = new Promise((resolve) => setTimeout(resolve, longestGoodbyeMs).unref())
      await Promise.race([provider.shutdown().catch(() => {}), late])
    },
  }
}

/** Asked every few seconds, and by browsers. */
const quiet: readonly string[] = ['health', 'docs']

const unwatched = { begun: () => {}, ended: () => {} }

const under = (span: Span): Context => trace.setSpan(ROOT_CONTEXT, span)

/** The SDK leaves out those that are undefined. */
function attributesOf(requestTrace: RequestTrace, bytes: number): Attributes {
  const { requestId, operation, version, errorCode, clientId } = requestTrace
  return {
    'fds.operation': operation,
    'fds.request_id': requestId,
    'http.response.body.size': bytes,
    'fds.version': version,
    'fds.client_id': clientId,
    'error.type': errorCode,
  }
}

/** The caller's span, if it names one as https://www.w3.org/TR/trace-context has it. */
function parentOf(traceparent: string | undefined): Context {
  const form = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/
  const [, traceId, spanId, flags] = form.exec(traceparent ?? '') ?? []
  if (!traceId || !spanId || !flags) return ROOT_CONTEXT
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
}
