import type { FastifyInstance } from 'fastify'

const checkEveryMs = 2000

/** How long a client may take to send a request, so that none keeps its connection forever. */
export const sendingLimits = {
  requestTimeout: 30_000,
  // A missing Host is rejected in the contract's form, not by Node without a body.
  http: {
    headersTimeout: 10_000,
    connectionsCheckingInterval: checkEveryMs,
    requireHostHeader: false,
  },
} as const

/** How long a client may read nothing of its response. */
const readingLimitMs = 30_000

/** Closes the connections of clients that do not read their responses. */
export function cutSlowReaders(app: FastifyInstance): void {
  // Node puts the limit of a connection that waits for its next request in the place of this one.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    reply.raw.socket?.setTimeout?.(readingLimitMs)
    done()
  })
}
