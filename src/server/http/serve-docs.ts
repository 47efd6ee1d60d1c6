import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../kernel/errors.ts'
import { sendFile, staticFolder } from './static-files.ts'

/** Serves the built docs, and leads to them from where people start. */
export function serveDocs(app: FastifyInstance, folder: string): void {
  let listed: ReturnType<typeof staticFolder> | undefined
  const read = (path: string) => {
    listed ??= staticFolder(folder)
    return listed.get(path)
  }
  const inTurn = oneAtATime()
  app.route({
    method: ['GET', 'HEAD'],
    url: '/docs/*',
    handler: async (request, reply) => {
      const path = (request.params as { '*': string })['*']
      const isFolder = path === '' || path.endsWith('/')
      const file = read(isFolder ? `${path}index.html` : path)
      if (file) return sendFile(request, reply, await inTurn(await file()))
      if (!isFolder && read(`${path}/index.html`))
        return reply.redirect(withSlash(request.url), 301)
      // Where readers look for the Markdown of a page. It stands beside the folder of the page.
      const twin = path.replace(/\/index\.md$/, '.md')
      if (twin !== path && read(twin)) return reply.redirect(`/docs/${twin}`, 301)
      const page = read('404.html')
      if (!page || !takesHtml(request)) throw new ApiError('NOT_FOUND')
      return reply
        .code(404)
        .type('text/html; charset=utf-8')
        .send((await page()).content)
    },
  })
  app.get('/docs', (_request, reply) => reply.redirect('/docs/'))
  app.get('/', (_request, reply) => reply.redirect('/docs/'))
}

/** Whether a browser asks; programs that take everything get the error as JSON. */
const takesHtml = ({ headers }: FastifyRequest): boolean =>
  headers.accept?.includes('text/html') ?? false

/** What takes the kernel long enough to copy that others would notice a hundred of them. */
const longBytes = 65_536

/**
 * Hands out one long file in each turn of the event loop. The kernel takes about 2 ms to copy 1 MB
 * into a socket: without this, a thousand clients that ask at once would stop all others for 2 s.
 */
function oneAtATime(): <File extends { content: Buffer }>(file: File) => Promise<File> {
  let last = Promise.resolve()
  return async (file) => {
    if (file.content.length < longBytes) return file
    last = last.then(() => nextTurn())
    await last
    return file
  }
}

function withSlash(url: string): string {
  const [path, ...query] = url.split('?')
  return [`${path}/`, ...query].join('?')
}
