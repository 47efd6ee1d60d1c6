import type { FastifyInstance } from 'fastify'
import { peerAddress } from '../pipeline/peer-address.ts'

/** A page in plain words that loads nothing; whoever knows its address can read it. */
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

const page = (title: string, text: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 45rem; margin: 2rem auto; padding: 0 1rem }
</style>
<h1>${title}</h1>
<p>${text}</p>
</html>
`

const notBuilt = page(
  'Link your account',
  'This service has no page yet on which you can link your account.',
)
const unknown = page(
  'This link does not work',
  'Ask the application that sent it to you for another one, since links end after some time.',
)
