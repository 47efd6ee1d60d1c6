import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { HostedPages, PageAnswer, PageRequest } from '../hosted/page-request.ts'
import { style, stylePath } from '../hosted/style.ts'
import { teller, tellerPath } from '../hosted/teller.ts'
import { DatabaseUnavailable } from '../kernel/database.ts'
import { ApiError } from '../kernel/errors.ts'
import { linkScriptFile } from '../kernel/files.ts'
import { hostedLinkPath } from '../link/hosted-page.ts'
import { Overloaded } from '../pipeline/overloaded-error.ts'
import { peerAddress } from '../pipeline/peer-address.ts'
import { sendFile, staticFile } from './static-files.ts'

/** What the routes of hosted pages need. */
export interface HostedLink {
  pages: HostedPages
  /** Runs the work of a request once it has a permit. */
  run(work: () => Promise<PageAnswer>, address: string): Promise<PageAnswer>
  publicUrl(): string
  onFault(error: unknown, requestId: string): void
}

const headers = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  // With `no-referrer` browsers send `Origin: null` with forms.
  'Referrer-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
  'X-Robots-Tag': 'noindex',
}

const formBytes = 16 * 1024

/** Serves the hosted pages of link tokens, and their style. */
export function serveHostedLink(app: FastifyInstance, link: HostedLink): void {
  const { pages, run, publicUrl } = link
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const { key, session, step } = request.params as Record<'key' | 'session' | 'step', string>
    const asked = toPageRequest(request, publicUrl())
    const work = () =>
      key === undefined ? pages.step(session, step, asked) : pages.open(key, asked)
    return send(reply, await run(work, peerAddress(request.ip)))
  }
  for (const url of [`${hostedLinkPath}/:key`, `${hostedLinkPath}/session/:session/:step`]) {
    app.route({
      method: ['GET', 'POST'],
      url,
      bodyLimit: formBytes,
      handler: answer,
      errorHandler(error, request, reply) {
        const isForeign = request.method === 'POST' && !isSameOrigin(request.headers, publicUrl())
        const status = statusOf(error, isForeign)
        if (status === 500) link.onFault(error, request.id)
        if (error instanceof Overloaded) reply.header('Retry-After', error.retryAfter)
        return send(reply, pages.failure(status))
      },
    })
  }
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

function send(reply: FastifyReply, answer: PageAnswer): FastifyReply {
  if ('location' in answer) {
    if (answer.cookie !== undefined) reply.header('Set-Cookie', answer.cookie)
    return reply.headers(headers).redirect(answer.location, 303)
  }
  return reply
    .code(answer.status)
    .headers(headers)
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
  { method, headers: sent, body, url }: FastifyRequest,
  publicUrl: string,
): PageRequest {
  const isForm = sent['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false
  const text = isForm && Buffer.isBuffer(body) ? body.toString() : ''
  return {
    isWrite: method === 'POST',
    isSameOrigin: isSameOrigin(sent, publicUrl),
    cookies: sent.cookie ?? '',
    query: new URL(url, 'http://host').searchParams,
    form: new URLSearchParams(text),
  }
}

/** Browsers that do not say where a request comes from name its origin at least. */
function isSameOrigin(sent: FastifyRequest['headers'], publicUrl: string): boolean {
  const site = sent['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const scheme = publicUrl.startsWith('https:') ? 'https' : 'http'
  return sent.origin === `${scheme}://${sent.host}`
}
