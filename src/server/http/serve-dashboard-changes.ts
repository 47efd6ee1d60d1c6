import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type DashboardRequest, sendError, senderOf } from './serve-dashboard.ts'

/** Tells pages of the dashboard which lists have changed. */
export interface DashboardChanges {
  open(sender: DashboardRequest['sender'], clientId: string | undefined): Promise<Readable>
  stop(): void
}

/**
 * Serves the stream of changes as server-sent events. It is a GET, since `EventSource` of a browser
 * sends nothing else. It changes nothing, and has the check of the origin that all operations have.
 */
export function serveDashboardChanges(
  app: FastifyInstance,
  changes: DashboardChanges,
  onFault: (error: unknown, requestId: string) => void,
): void {
  const errorHandler = (thrown: unknown, request: FastifyRequest, reply: FastifyReply) =>
    sendError(thrown, request, reply, { onFault, maximumBody: 0 })
  app.get('/dashboard/api/changes', { errorHandler }, async (request, reply) => {
    const { client_id } = request.query as { client_id?: unknown }
    const named = typeof client_id === 'string' ? client_id : undefined
    const events = await changes.open(senderOf(request), named)
    reply.raw.once('close', () => events.destroy())
    return reply
      .headers({ 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no', Connection: 'close' })
      .type('text/event-stream')
      .send(events)
  })
  // A stream has no end of its own, and the shutdown would wait for it.
  app.addHook('preClose', async () => changes.stop())
}
