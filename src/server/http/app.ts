import fastifyCors from '@fastify/cors'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { operations } from '#contract/operations.ts'
import type { ServedImage } from '../identity-verification/pictures/picture.ts'
import { drawImage } from '../kernel/draw-image.ts'
import { ApiError, type ErrorContext } from '../kernel/errors.ts'
import { toJson } from '../kernel/list-text.ts'
import type { AnyOperationId } from '../kernel/operation.ts'
import type { Readiness } from '../kernel/readiness.ts'
import { noTelemetry, type RequestTrace, type Telemetry } from '../kernel/telemetry.ts'
import { bodyLimitOf } from '../pipeline/body-limits.ts'
import type { WireRequest } from '../pipeline/check-request.ts'
import type { ConcurrencyLimiter } from '../pipeline/concurrency-limiter.ts'
import { commonShare, type FairShares } from '../pipeline/fair-shares.ts'
import { DroppedConnection } from '../pipeline/injected-fault.ts'
import { Overloaded } from '../pipeline/overloaded-error.ts'
import { maximumBody } from '../pipeline/parse-body.ts'
import { peerAddress } from '../pipeline/peer-address.ts'
import type { WireAnswer } from '../pipeline/pipeline.ts'
import {
  answerMalformed,
  isLate,
  type RequestStart,
  type StartedRequests,
} from './answer-malformed.ts'
import { type Callers, checkCallers } from './check-host-and-origin.ts'
import { endConnections } from './drain-connections.ts'
import { toApiError, toErrorAnswer } from './error-answer.ts'
import { createLateSenders } from './late-senders.ts'
import { limitConnections } from './limit-connections.ts'
import { listenWidely } from './listen.ts'
import { sendSecurityHeaders } from './security-headers.ts'
import { type Agents, serveAgents } from './serve-agents.ts'
import { type DashboardPages, serveDashboard } from './serve-dashboard.ts'
import { serveDashboardChanges } from './serve-dashboard-changes.ts'
import { serveDashboardPages } from './serve-dashboard-pages.ts'
import { serveDocs } from './serve-docs.ts'
import { serveHealth } from './serve-health.ts'
import {
  type HostedLink,
  isHostedPage,
  sendFailedPage,
  sendUnknownPage,
  serveHostedLink,
  toMalformedPage,
} from './serve-hosted-link.ts'
import { serveOAuthMetadata } from './serve-oauth-metadata.ts'
import { serveShortDocs } from './serve-short-docs.ts'
import { type SimplefinServer, serveSimplefin } from './serve-simplefin.ts'
import { type SourceWebhooks, serveSourceWebhooks } from './serve-source-webhooks.ts'
import { shedLoad } from './shed-load.ts'
import { cutSlowReaders, sendingLimits } from './slow-clients.ts'
import { unknownRoute } from './unknown-route.ts'
import { watchRequests } from './watch-requests.ts'

export interface AppOptions {
  /** Answers one operation. @throws ApiError for an error of the contract */
  answer(request: WireRequest, context: ErrorContext, trace?: RequestTrace): Promise<WireAnswer>
  newRequestId(): string
  /** Called with errors that are not in the contract: a bug, or an unavailable store. */
  onFault(error: unknown, requestId: string): void
  publicUrl(): string
  /** The folder of the built docs; without it there are a few pages in their place. */
  docs?: string | false | undefined
  /** The folder of the built pages of the dashboard; without it there are none. */
  dashboardFolder?: string | undefined
  /** Where the docs are, where that is not here; undefined where there are none. */
  docsUrl?(): string | undefined
  /** The paths of the documents without versions that this environment has. */
  undatedPaths?: Readonly<Record<string, string>>
  /** Which hosts requests may name, and which pages may send them. */
  callers?: Callers
  /** The proxies whose X-Forwarded-For is trusted, by their addresses and networks. */
  proxies?: readonly string[] | undefined
  /** The PNG that a path with its query names, if it names one. */
  image?(path: string, address: string): Promise<ServedImage | undefined>
  /** The hosted pages on which users link. */
  hostedLink?: Pick<HostedLink, 'pages' | 'verify' | 'run' | 'runUpload'>
  /** What the pages of the dashboard ask for. */
  dashboard?: DashboardPages
  /** What serves accounts by the SimpleFIN protocol. */
  simplefin?: SimplefinServer
  /** What takes the webhooks of sources. */
  sourceWebhooks?: SourceWebhooks
  /** Where agents ask. */
  agents?: Agents
  /** The metadata of RFC 8414. */
  oauthMetadata?(): object
  /** What the health check `/readyz` answers. */
  readiness?: Readiness
  /** Where metrics and traces of each request go. */
  telemetry?: Telemetry
  /** Says which requests are too many. */
  limiter?: ConcurrencyLimiter
  /** Whose share of the service a request takes, by what is known before its body. */
  shareOf?: FairShares['of']
}

/** Of the logos and category icons that transactions link to. */
const iconSize = 100

/** The HTTP edge: a route for each operation, the docs, and every failure in the contract's form. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const { docsUrl = () => `${options.publicUrl()}/docs` } = options
  const contextOf = (request: FastifyRequest): ErrorContext => ({
    requestId: request.id,
    docsUrl: docsUrl(),
  })
  const late = createLateSenders()
  const started: StartedRequests = new WeakMap()
  const app = fastify({
    ...sendingLimits,
    bodyLimit: maximumBody,
    trustProxy: options.proxies?.length ? [...options.proxies] : false,
    genReqId: () => options.newRequestId(),
    exposeHeadRoutes: false,
    // Requests on open connections are answered, not rejected with an error body of Fastify.
    return503OnClosing: false,
    // The address of a hosted page is longer than the usual 100.
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 256 },
    schemaController: { compilersFactory: noCompilers },
    // Errors before a route is found, such as a malformed URL.
    frameworkErrors: (_error, request, reply) => {
      if (isHostedPage(request) && options.hostedLink) {
        return void sendUnknownPage(request, reply, options.hostedLink)
      }
      send(reply, request, toErrorAnswer(new ApiError('NOT_FOUND'), contextOf(request)))
    },
    clientErrorHandler(error, socket) {
      const toPage = (start: RequestStart) =>
        options.hostedLink && toMalformedPage(options.hostedLink, start)
      const answer = () => answerMalformed(socket, error, { ...options, docsUrl, toPage, started })
      const answerInTurn = () => app.afterResponses(socket, answer)
      // Node tells of a request that takes long once. What brings a file has limits of its own.
      if (isLate(error) && late.has(socket)) return
      if (isLate(error)) app.unlessArrived(socket, answerInTurn)
      else answerInTurn()
    },
  })
  // Set before the plugins are registered. Their routes would otherwise use Fastify's handler.
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof Overloaded && request.trace) request.trace.shed = true
    if (error instanceof DroppedConnection) return reply.hijack().raw.destroy()
    if (options.hostedLink && isHostedPage(request)) {
      return sendFailedPage(error, request, reply, { ...options, ...options.hostedLink })
    }
    const isOAuth = oauthPaths.includes(request.routeOptions.url ?? '')
    const apiError = toApiError(error, isOAuth, request.routeOptions.bodyLimit)
    if (apiError !== error && apiError.status >= 500) options.onFault(error, request.id)
    return send(reply, request, toErrorAnswer(apiError, contextOf(request)))
  })
  const interfacePaths = Object.entries(operations).map(([id, { path }]) => [id, path] as const)
  const routes = [...interfacePaths, ...Object.entries(options.undatedPaths ?? {})]
  const paths = routes.map(([, path]) => path)
  const { telemetry = noTelemetry } = options
  const operationOf = new Map(routes.map(([id, path]) => [path, id]))
  watchRequests(app, telemetry, operationOf)
  endConnections(app)
  listenWidely(app)
  cutSlowReaders(app)
  sendSecurityHeaders(app, options.docs || undefined)
  // Bodies are read by the pipeline, which knows what each operation takes.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  const { limiter, newRequestId, publicUrl, callers = {} } = options
  checkCallers(app, { ...callers, publicUrl, oauthPaths })
  // An OPTIONS that no browser asks with is a wrong method like any other.
  app.addHook('onRequest', ({ method, url, headers }, _reply, done) => {
    const isPreflight = headers.origin && headers['access-control-request-method']
    done(method === 'OPTIONS' && !isPreflight ? unknownRoute(method, url, paths) : undefined)
  })
  await app.register(fastifyCors, {
    // Other origins have been rejected by now; their pages would get no header either.
    origin: true,
    exposedHeaders:
      'Request-Id, Retry-After, WWW-Authenticate, Preference-Applied, Ignored-Fields, Idempotent-Replayed',
  })
  if (limiter) {
    const { shareOf = () => commonShare } = options
    shedLoad(app, { limiter, shareOf, newRequestId, docsUrl, telemetry, operations: operationOf })
  }
  if (options.docs === undefined) serveShortDocs(app)
  else if (options.docs !== false) serveDocs(app, options.docs)
  if (options.dashboardFolder) serveDashboardPages(app, options.dashboardFolder)
  limitConnections(app)

  for (const [operationId, path] of routes) {
    app.post(path, { bodyLimit: bodyLimitOf(operationId) }, async (request, reply) => {
      const wire = toWire(operationId as AnyOperationId, request)
      const { trace } = request
      const run = () => options.answer(wire, contextOf(request), trace)
      const answer = await (trace ? telemetry.within(trace, run) : run())
      return send(reply, request, answer)
    })
  }

  if (options.readiness) serveHealth(app, options.readiness)
  const { image, hostedLink, dashboard, agents, oauthMetadata, onFault } = options
  if (dashboard) serveDashboard(app, dashboard, onFault)
  if (dashboard?.changes) serveDashboardChanges(app, dashboard.changes, onFault)
  if (agents) serveAgents(app, agents, onFault)
  if (options.simplefin) serveSimplefin(app, options.simplefin)
  if (options.sourceWebhooks) serveSourceWebhooks(app, options.sourceWebhooks)
  if (hostedLink) serveHostedLink(app, { ...hostedLink, publicUrl, onFault, late, started })
  if (image) {
    app.get('/images/*', async (request, reply) => {
      const found = await image(request.url, peerAddress(request.ip))
      if (!found) throw new ApiError('NOT_FOUND')
      return reply.headers(imageHeaders).type(`image/${found.type}`).send(found.bytes)
    })
  }
  app.get('/:folder(^icons|logos$)/:name', async (request, reply) => {
    const { name } = request.params as { name: string }
    if (!/^[\w-]+\.png$/.test(name)) throw new ApiError('NOT_FOUND')
    return reply.type('image/png').send(drawImage(name, iconSize, iconSize))
  })
  if (oauthMetadata) serveOAuthMetadata(app, oauthMetadata)

  app.setNotFoundHandler((request, reply) => {
    if (hostedLink && isHostedPage(request)) return sendUnknownPage(request, reply, hostedLink)
    const error = unknownRoute(request.method, request.url, paths)
    return send(reply, request, toErrorAnswer(error, contextOf(request)))
  })
  return app
}

/**
 * A picture comes from outside. If somebody opens its link as a page, nothing of it runs, and no
 * browser keeps it after its link has expired.
 */
const imageHeaders = {
  'Cache-Control': 'no-store',
  'Content-Disposition': 'inline',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'Referrer-Policy': 'no-referrer',
}

/** No route has a schema; Fastify's own compilers would be loaded all the same, Ajv among them. */
const noCompilers = { buildValidator: rejectSchemas, buildSerializer: rejectSchemas }

function rejectSchemas(): never {
  throw new Error('a route has a schema, and nothing here compiles it')
}

const toWire = (operationId: AnyOperationId, request: FastifyRequest): WireRequest => ({
  operationId,
  headers: request.headers as WireRequest['headers'],
  body: Buffer.isBuffer(request.body) ? request.body : new Uint8Array(),
  peer: () => request.ip,
})

function send(reply: FastifyReply, request: FastifyRequest, answer: WireAnswer): FastifyReply {
  const body = answer.body as { request_id?: unknown } | null
  const requestId = typeof body?.request_id === 'string' ? body.request_id : request.id
  const text = toJson(answer.body as object)
  answer.record?.(text)
  if (answer.status >= 400 && request.trace) request.trace.errorCode = codeOf(answer.body)
  return reply
    .code(answer.status)
    .headers(answer.headers)
    .header('Request-Id', requestId)
    .type('application/json')
    .send(text)
}

/** The code of an error's body, in its own form or in RFC 6749's. */
function codeOf(body: unknown): string | undefined {
  const { error_code, error } = (body ?? {}) as { error_code?: unknown; error?: unknown }
  const code = error_code ?? error
  return typeof code === 'string' ? code : undefined
}

const oauthPaths: readonly string[] = Object.values(operations)
  .filter(({ oauth }) => oauth)
  .map(({ path }) => path)
