import type { FastifyInstance } from 'fastify'
import { ApiError } from '../kernel/errors.ts'
import { inEncodingOf } from './gzip-file.ts'
import { sendFile, staticFolder } from './static-files.ts'

const headers = {
  // Styles are set by scripts through the object model, which this policy allows.
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'Referrer-Policy': 'same-origin',
  // For browsers that do not know `frame-ancestors`.
  'X-Frame-Options': 'DENY',
  'X-Robots-Tag': 'noindex',
}

/** The name of a file changes with its content, so a browser can keep it. */
const forever = 'public, max-age=31536000, immutable'

/**
 * Serves the built pages of the dashboard. Every address below `/dashboard` that is no file gets the
 * same document, whose script shows the page. What the pages ask for is answered by other routes.
 */
export function serveDashboardPages(app: FastifyInstance, folder: string): void {
  let listed: ReturnType<typeof staticFolder> | undefined
  app.route({
    method: ['GET', 'HEAD'],
    url: '/dashboard/*',
    handler: async (request, reply) => {
      const path = (request.params as { '*': string })['*']
      listed ??= staticFolder(folder)
      reply.headers(headers)
      if (path.startsWith('assets/')) {
        const asset = listed.get(path)
        if (!asset) throw new ApiError('NOT_FOUND')
        return sendFile(request, reply, await inEncodingOf(request, reply, await asset()), forever)
      }
      const document = listed.get('index.html')
      if (!document || path.startsWith('api/')) throw new ApiError('NOT_FOUND')
      const page = await inEncodingOf(request, reply, await document())
      return sendFile(request, reply, page, 'no-cache')
    },
  })
  app.get('/dashboard', (_request, reply) => reply.redirect('/dashboard/'))
}
