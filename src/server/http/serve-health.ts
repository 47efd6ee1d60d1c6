import type { FastifyInstance } from 'fastify'
import type { Readiness } from '../kernel/readiness.ts'

/**
 * Two pages for whoever runs the service, outside of the contract and without credentials: whether
 * the process is to be started anew, and whether it is to be given requests.
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
