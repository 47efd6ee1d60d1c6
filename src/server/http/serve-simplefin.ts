import type { FastifyInstance, FastifyReply } from 'fastify'
import { simplefinPath } from '../outlet/access.ts'
import type { Outlet, OutletAnswer } from '../outlet/outlet.ts'
import { peerAddress } from '../pipeline/peer-address.ts'

/** What the routes of the SimpleFIN server need. */
export interface SimplefinServer {
  outlet: Outlet
  /** Runs the work of a request once it has a permit. */
  run(work: () => Promise<OutletAnswer>, address: string): Promise<OutletAnswer>
}

/** Serves the accounts of clients by the SimpleFIN protocol. It names the errors by their status alone. */
export function serveSimplefin(app: FastifyInstance, { outlet, run }: SimplefinServer): void {
  app.get(`${simplefinPath}/info`, (_request, reply) => send(reply, outlet.info()))
  app.post(`${simplefinPath}/claim/:code`, { bodyLimit: 1024 }, async (request, reply) => {
    const { code } = request.params as { code: string }
    return send(reply, await run(() => outlet.claim(code), peerAddress(request.ip)))
  })
  app.get(`${simplefinPath}/accounts`, async (request, reply) => {
    const { headers, ip, url } = request
    const asked = {
      authorization: headers.authorization,
      query: new URL(url, 'http://host').searchParams,
      peer: ip,
      forwarded: headers['x-forwarded-for'] !== undefined,
    }
    return send(reply, await run(() => outlet.accounts(asked), peerAddress(ip)))
  })
  // Programs of others do not know the errors of the API.
  for (const url of [simplefinPath, `${simplefinPath}/*`]) {
    app.route({
      method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      url,
      bodyLimit: 1024,
      handler: ({ url: asked }, reply) => {
        const path = asked.slice(simplefinPath.length).split('?')[0] ?? ''
        const allowed = methods.find(([form]) => form.test(path))?.[1]
        if (allowed === undefined) return send(reply, { status: 404, body: 'Not Found' })
        return send(reply.header('Allow', allowed), { status: 405, body: 'Method Not Allowed' })
      },
    })
  }
}

/** The method of each path. */
const methods = [
  [/^\/(?:info|accounts)$/, 'GET'],
  [/^\/claim\/[^/]+$/, 'POST'],
] as const

function send(reply: FastifyReply, { status, body, retryAfter }: OutletAnswer): FastifyReply {
  if (retryAfter !== undefined) reply.header('Retry-After', retryAfter)
  const isText = typeof body === 'string'
  return reply
    .code(status)
    .header('Cache-Control', 'no-store')
    .type(isText ? 'text/plain; charset=utf-8' : 'application/json')
    .send(isText ? body : JSON.stringify(body))
}
