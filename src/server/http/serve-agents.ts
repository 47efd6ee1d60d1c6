import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ApiError } from '../kernel/errors.ts'
import { peerAddress } from '../pipeline/peer-address.ts'
import { toApiError, toErrorAnswer } from './error-answer.ts'

/** A request of an agent as it arrived. */
interface AgentMessage {
  method: string
  headers: Readonly<Record<string, string | undefined>>
  body: string
  address: string
}

/** What the routes of agents need. */
export interface Agents {
  path: string
  metadataPath: string
  metadata(): object
  answer(
    message: AgentMessage,
  ): Promise<{ status: number; headers: Readonly<Record<string, string>>; body: string }>
}

/** Far longer than any message of an agent. */
const messageBytes = 128 * 1024

/** Serves the address of agents, and where they learn how to get in. */
export function serveAgents(
  app: FastifyInstance,
  agents: Agents,
  onFault: (error: unknown, requestId: string) => void,
): void {
  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: agents.path,
    bodyLimit: messageBytes,
    async handler(request, reply) {
      const { status, headers, body } = await agents.answer(toMessage(request))
      return reply.code(status).headers(headers).send(body)
    },
    errorHandler(thrown, request, reply) {
      const error = toApiError(thrown, false, messageBytes)
      if (error !== thrown && error.status >= 500) onFault(thrown, request.id)
      return sendError(reply, request, error)
    },
  })
  app.get(agents.metadataPath, (_request, reply) =>
    reply.type('application/json').send(JSON.stringify(agents.metadata())),
  )
}

/** The protocol asks for 403 where a page or a host is foreign. */
function sendError(reply: FastifyReply, request: FastifyRequest, error: ApiError): FastifyReply {
  const answer = toErrorAnswer(error, { requestId: request.id, docsUrl: undefined })
  if (request.trace) request.trace.errorCode = error.code
  return reply
    .code(error.key === 'INVALID_HEADERS' ? 403 : answer.status)
    .headers(answer.headers)
    .header('Request-Id', request.id)
    .type('application/json')
    .send(JSON.stringify(answer.body))
}

const toMessage = (request: FastifyRequest): AgentMessage => ({
  method: request.method,
  headers: request.headers as AgentMessage['headers'],
  body: Buffer.isBuffer(request.body) ? request.body.toString() : '',
  address: peerAddress(request.ip),
})
