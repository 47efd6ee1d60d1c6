import type { FastifyInstance } from 'fastify'

/** Serves the built docs, and leads to them from where people start. */
export async function serveDocs(app: FastifyInstance, folder: string): Promise<void> {
  // Loaded here, since a service without docs has no files to serve.
  const { default: fastifyStatic } = await import('@fastify/static')
  await app.register(fastifyStatic, { root: folder, prefix: '/docs/', redirect: true })
  app.get('/docs', (_request, reply) => reply.redirect('/docs/'))
  app.get('/', (_request, reply) => reply.redirect('/docs/'))
}
