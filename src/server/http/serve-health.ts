import type { FastifyInstance } from 'fastify'
import type { Readiness } from '../kernel/readiness.ts'

/**
 * Serves the health checks, without credentials: `/livez` says whether to restart the process, and
 * `/readyz` whether to send it requests.
 */
export function serveHealth(app: FastifyInstance, readiness: Readiness): void {
  const method = ['GET', 'HEAD']
  app.route({
    method,
    url: '/livez',
    handler: (_request, reply) =>
      reply.header('Cache-Control', 'no-store').type('application/json').send('{"live":true}'),
  })
  app.route({
    method,
    url: '/readyz',
    handler: async (_request, reply) => {
      const state = await readiness.check()
      return reply
        .code(state.ready ? 200 : 503)
        .header('Cache-Control', 'no-store')
        .type('application/json')
        .send(JSON.stringify(state))
    },
  })
}
