import type { FastifyInstance } from 'fastify'

/** How long those have that are being served, or have sent half a request, when the service ends. */
const graceMs = 3000

/**
 * Lets connections end with the service: each closes after the answer that is under way, which
 * would else be kept for a next request, and after a while all that are left are cut.
 */
export function endConnections(app: FastifyInstance): void {
  let timer: NodeJS.Timeout | undefined
  app.addHook('preClose', async () => {
    timer = setTimeout(() => app.server.closeAllConnections(), graceMs)
  })
  app.addHook('onSend', async (_request, reply) => {
    if (timer) reply.header('Connection', 'close')
  })
  app.addHook('onClose', async () => clearTimeout(timer))
}
