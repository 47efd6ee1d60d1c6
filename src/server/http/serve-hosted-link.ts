import type { FastifyInstance } from 'fastify'
import { peerAddress } from '../pipeline/peer-address.ts'
import { plainPage } from './plain-page.ts'

/** Everybody who knows the address of the page can read it, so nothing may store or pass it on. */
const headers = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Content-Type': 'text/html; charset=utf-8',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'X-Robots-Tag': 'noindex',
}

/** Serves the addresses of link tokens. Those that are unknown or have expired answer 404. */
export function serveHostedLink(
  app: FastifyInstance,
  isOpen: (key: string, address: string) => Promise<boolean>,
): void {
  app.get('/hosted/link/:key', async (request, reply) => {
    const { key } = request.params as { key: string }
    const isKnown = await isOpen(key, peerAddress(request.ip))
    return reply
      .code(isKnown ? 200 : 404)
      .headers(headers)
      .send(isKnown ? notBuilt : unknown)
  })
}

const notBuilt = plainPage(
  'Link your account',
  '<p>This service has no page yet on which you can link your account.</p>',
)
const unknown = plainPage(
  'This link does not work',
  '<p>Ask the application that sent it to you for another one, since links end after some time.</p>',
)
