import type { FastifyInstance } from 'fastify'
import type { Notice } from '../../connector/connector.ts'
import { peerAddress } from '../pipeline/peer-address.ts'
import { sourceWebhooksPath } from '../sources/webhooks-path.ts'

/** What the route of webhooks of sources needs. */
export interface SourceWebhooks {
  /** Returns the status of the response. */
  receive(key: string, notice: Notice): Promise<number>
  /** Runs the work of a request once it has a permit. */
  run(work: () => Promise<number>, address: string): Promise<number>
}

const mostBytes = 256 * 1024

/** Takes the webhooks that sources of Items send to this service. */
export function serveSourceWebhooks(app: FastifyInstance, { receive, run }: SourceWebhooks): void {
  const path = `${sourceWebhooksPath}/:key`
  app.post(path, { bodyLimit: mostBytes }, async ({ params, headers, body, ip }, reply) => {
    const { key } = params as { key: string }
    const notice = { headers, body: Buffer.isBuffer(body) ? body : new Uint8Array() }
    const status = await run(() => receive(key, notice), peerAddress(ip))
    return reply.code(status).header('Cache-Control', 'no-store').send()
  })
}
