import type { FastifyInstance } from 'fastify'
import { ApiError } from '../kernel/errors.ts'
import { sendFile, staticFolder } from './static-files.ts'

/** Serves the built docs, and leads to them from where people start. */
export function serveDocs(app: FastifyInstance, folder: string): void {
  let listed: ReturnType<typeof staticFolder> | undefined
  const read = (path: string) => {
    listed ??= staticFolder(folder)
    return listed.get(path)
  }
  app.route({
    method: ['GET', 'HEAD'],
    url: '/docs/*',
    handler: async (request, reply) => {
      const path = (request.params as { '*': string })['*']
      const isFolder = path === '' || path.endsWith('/')
      const file = read(isFolder ? `${path}index.html` : path)
      if (file) return sendFile(request, reply, await file())
      if (isFolder || !read(`${path}/index.html`)) throw new ApiError('NOT_FOUND')
      return reply.redirect(withSlash(request.url), 301)
    },
  })
  app.get('/docs', (_request, reply) => reply.redirect('/docs/'))
  app.get('/', (_request, reply) => reply.redirect('/docs/'))
}

function withSlash(url: string): string {
  const [path, ...query] = url.split('?')
  return [`${path}/`, ...query].join('?')
}
