import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { HostedPages, PageAnswer, PageRequest, VerifyPages } from '../hosted/page-request.ts'
import { style, stylePath } from '../hosted/style.ts'
import { teller, tellerPath } from '../hosted/teller.ts'
import { verifyPath } from '../hosted/verify/address.ts'
import { DatabaseUnavailable } from '../kernel/database.ts'
import { ApiError } from '../kernel/errors.ts'
import { linkScriptFile } from '../kernel/files.ts'
import { hostedLinkPath } from '../link/hosted-page.ts'
import { Overloaded } from '../pipeline/overloaded-error.ts'
import { peerAddress } from '../pipeline/peer-address.ts'
import type { RawPage, RequestStart, StartedRequests } from './answer-malformed.ts'
import type { LateSenders } from './late-senders.ts'
import { readUpload, uploadLimits } from './read-upload.ts'
import { sendFile, staticFile } from './static-files.ts'

/** What the routes of hosted pages need. */
export interface HostedLink {
  pages: HostedPages
  verify: VerifyPages
  /** Runs the work of a request once it has a permit. */
  run(work: () => Promise<PageAnswer>, address: string): Promise<PageAnswer>
  /** The same for a form with a file, which may take minutes to arrive. */
  runUpload: HostedLink['run']
  late: LateSenders
  started: StartedRequests
  publicUrl(): string
  onFault(error: unknown, requestId: string): void
}

const headers = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  // With `no-referrer` browsers send `Origin: null` with forms.
  'Referrer-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
  'X-Robots-Tag': 'noindex',
}

/** The page of a verification asks for pictures. */
const headersOf = ({ url }: Pick<FastifyRequest, 'url'>): Readonly<Record<string, string>> => {
  const camera = url.startsWith(verifyPath) ? '(self)' : '()'
  return {
    ...headers,
    'Permissions-Policy': `camera=${camera}, geolocation=(), microphone=(), payment=()`,
  }
}

const formBytes = 16 * 1024

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route may read a body as a stream. */
    streams?: boolean
  }
}

/** Serves the hosted pages of link tokens and of identity verifications, and their style. */
export function serveHostedLink(app: FastifyInstance, link: HostedLink): void {
  // A scope of its own: no other route takes forms with files.
  app.register(async (scope) => {
    await scope.register(multipart, { limits: uploadLimits, throwFileSizeLimit: false })
    noteStarted(scope, link.started)
    serveSteps(scope, link)
  })
  const parts = [
    { path: stylePath, type: 'text/css', text: style },
    { path: tellerPath, type: 'text/javascript', text: teller },
  ]
  for (const { path, type, text } of parts) {
    app.get(path, (_request, reply) =>
      reply
        .header('Cache-Control', 'public, max-age=31536000, immutable')
        .type(`${type}; charset=utf-8`)
        .send(text),
    )
  }
  const script = staticFile(linkScriptFile)
  app.get('/link/v1/link.js', async (request, reply) => sendFile(request, reply, await script()))
}

/** Notes the requests under way: their bodies may never arrive, and people are told of that on a page. */
function noteStarted(app: FastifyInstance, started: StartedRequests): void {
  app.addHook('onRequest', (request, _reply, done) => {
    started.set(request.raw.socket, { url: request.url, languages: languagesOf(request) })
    done()
  })
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    started.delete(raw.socket)
    done()
  })
}

function serveSteps(app: FastifyInstance, link: HostedLink): void {
  const { pages, verify, run, runUpload, publicUrl, late } = link
  const route = (url: string, ask: (asked: Asked) => Promise<PageAnswer>) =>
    app.route({
      method: ['GET', 'POST'],
      url,
      bodyLimit: formBytes,
      config: { streams: true },
      async handler(request, reply) {
        const params = request.params as Asked['params']
        const address = peerAddress(request.ip)
        const asked = toPageRequest(request, publicUrl())
        if (!request.isMultipart()) {
          return send(reply, await run(() => ask({ params, asked }), address))
        }
        const upload = await readUpload(request, late)
        const { form, file, drain } = upload
        const whole = { ...asked, form, ...(file ? { file } : {}) }
        const answer = await runUpload(() => ask({ params, asked: whole }), address).finally(drain)
        return send(reply, answer)
      },
      errorHandler: (error, request, reply) => sendFailedPage(error, request, reply, link),
    })
  route(`${hostedLinkPath}/return`, ({ asked }) => pages.comeBack(asked))
  route(`${hostedLinkPath}/website`, ({ asked }) => pages.website(asked))
  route(`${hostedLinkPath}/:key`, ({ params: { key = '' }, asked }) => pages.open(key, asked))
  route(
    `${hostedLinkPath}/session/:session/:step`,
    ({ params: { session = '', step = '' }, asked }) => pages.step(session, step, asked),
  )
  route(`${verifyPath}/:key`, ({ params: { key = '' }, asked }) => verify.open(key, asked))
  route(`${verifyPath}/session/:session/:step`, ({ params: { session = '', step = '' }, asked }) =>
    verify.page(session, step, asked),
  )
}

interface Asked {
  params: Partial<Record<'key' | 'session' | 'step', string>>
  asked: PageRequest
}

function send(reply: FastifyReply, answer: PageAnswer): FastifyReply {
  if ('location' in answer) {
    if (answer.cookie !== undefined) reply.header('Set-Cookie', answer.cookie)
    return reply.headers(headersOf(reply.request)).redirect(answer.location, 303)
  }
  if (answer.renewSeconds !== undefined) reply.header('Refresh', answer.renewSeconds)
  return reply
    .code(answer.status)
    .headers(headersOf(reply.request))
    .type('text/html; charset=utf-8')
    .send(answer.html)
}

function statusOf(error: unknown, isForeign: boolean): number {
  if (error instanceof DatabaseUnavailable) return 503
  // Forms of most other sites are rejected before their handler, by the header `Origin`.
  if (error instanceof ApiError && error.status === 400 && isForeign) return 403
  if (error instanceof ApiError) return error.status
  const { statusCode = 500 } = error as { statusCode?: number }
  return statusCode
}

function toPageRequest(
  { method, headers: sent, body, url, ip }: FastifyRequest,
  publicUrl: string,
): PageRequest {
  const isForm = sent['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false
  const text = isForm && Buffer.isBuffer(body) ? body.toString() : ''
  return {
    isWrite: method === 'POST',
    isSameOrigin: isSameOrigin(sent, publicUrl),
    cookies: sent.cookie ?? '',
    languages: sent['accept-language'] ?? '',
    query: new URL(url, 'http://host').searchParams,
    form: new URLSearchParams(text),
    peer: ip,
  }
}

const languagesOf = ({ headers: sent }: Pick<FastifyRequest, 'headers'>): string =>
  sent['accept-language'] ?? ''

/** Whether a request that no route takes was for a hosted page. */
export const isHostedPage = ({ url }: Pick<FastifyRequest, 'url'>): boolean =>
  /^\/(?:hosted\/link|verify)(?:[/?]|$)/i.test(url)

/** Answers such a request as a page: its address was cut, or somebody added a slash. */
export function sendUnknownPage(
  request: FastifyRequest,
  reply: FastifyReply,
  link: Pick<HostedLink, 'pages' | 'verify'>,
): FastifyReply {
  const [path = ''] = request.url.split('?')
  if (request.method === 'GET' && /[^/]\/$/.test(path)) {
    return reply.headers(headersOf(request)).redirect(path.slice(0, -1), 308)
  }
  // Programs ask so whether a link can be shown. It begins no session.
  if (request.method === 'HEAD') return send(reply, { status: 200, html: '' })
  const status = ['GET', 'POST'].includes(request.method) ? 404 : 405
  return send(reply, failuresOf(link, request).failure(status, languagesOf(request)))
}

type Failing = Pick<HostedLink, 'pages' | 'verify' | 'publicUrl' | 'onFault'>

/** Answers a request that failed as a page. */
export function sendFailedPage(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  link: Failing,
): FastifyReply {
  const isForeign = request.method === 'POST' && !isSameOrigin(request.headers, link.publicUrl())
  const status = statusOf(error, isForeign)
  if (status === 500) link.onFault(error, request.id)
  if (error instanceof Overloaded) reply.header('Retry-After', error.retryAfter)
  return send(reply, failuresOf(link, request).failure(status, languagesOf(request)))
}

/** The page for a request that could not be read, if its address is that of a hosted page. */
export function toMalformedPage(
  link: Pick<HostedLink, 'pages' | 'verify'>,
  start: RequestStart,
): RawPage | undefined {
  if (!isHostedPage(start)) return undefined
  const answer = failuresOf(link, start).failure(400, start.languages)
  if (!('html' in answer)) return undefined
  const type = { 'Content-Type': 'text/html; charset=utf-8' }
  return { headers: { ...type, ...headersOf(start) }, html: answer.html }
}

/** The pages that say what failed. */
const failuresOf = (
  { pages, verify }: Pick<HostedLink, 'pages' | 'verify'>,
  { url }: Pick<FastifyRequest, 'url'>,
): Pick<HostedPages, 'failure'> => (url.startsWith(verifyPath) ? verify : pages)

/** Browsers that do not say where a request comes from name its origin at least. */
function isSameOrigin(sent: FastifyRequest['headers'], publicUrl: string): boolean {
  const site = sent['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const scheme = publicUrl.startsWith('https:') ? 'https' : 'http'
  return sent.origin === `${scheme}://${sent.host}`
}
