import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { operations } from '../../../generated/dashboard/operations.ts'
import { type ErrorContext, toErrorBody } from '../kernel/errors.ts'
import { peerAddress } from '../pipeline/peer-address.ts'
import type { WireAnswer } from '../pipeline/pipeline.ts'
import { toApiError } from './error-answer.ts'
import type { DashboardChanges } from './serve-dashboard-changes.ts'

/** A request of a page as it arrived. */
export interface DashboardRequest {
  operationId: keyof typeof operations
  sender: {
    headers: Readonly<Record<string, string | undefined>>
    /** The other end of the connection, whatever proxies say. */
    remoteAddress: string
    /** The address that stands for the user, behind trusted proxies too. */
    address: string
  }
  body: Uint8Array
}

/** What the routes of the dashboard need. */
export interface DashboardPages {
  answer(
    request: DashboardRequest,
    context: ErrorContext,
  ): Promise<WireAnswer & { cookies: readonly string[] }>
  changes?: DashboardChanges
}

/** Serves the operations that the pages of the dashboard call. */
export function serveDashboard(
  app: FastifyInstance,
  pages: DashboardPages,
  onFault: (error: unknown, requestId: string) => void,
): void {
  for (const [id, { path, maximumBody }] of Object.entries(operations)) {
    const operationId = id as keyof typeof operations
    app.post(path, {
      bodyLimit: maximumBody,
      async handler(request, reply) {
        const context = { requestId: request.id, docsUrl: undefined }
        const answer = await pages.answer(toRequest(operationId, request), context)
        for (const cookie of answer.cookies) reply.header('Set-Cookie', cookie)
        return send(reply, request, answer)
      },
      errorHandler: (thrown, request, reply) =>
        sendError(thrown, request, reply, { onFault, maximumBody }),
    })
  }
}

interface Failing {
  onFault(error: unknown, requestId: string): void
  maximumBody: number
}

/** Sends an error in the form of the contract. The docs have no page about errors of the dashboard. */
export function sendError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { onFault, maximumBody }: Failing,
): FastifyReply {
  const error = toApiError(thrown, false, maximumBody)
  if (error !== thrown && error.status >= 500) onFault(thrown, request.id)
  const body = toErrorBody(error, { requestId: request.id, docsUrl: undefined })
  if (error.retryAfter !== undefined) reply.header('Retry-After', error.retryAfter)
  if (request.trace) request.trace.errorCode = error.code
  return send(reply, request, { status: error.status, headers: noStore, body })
}

const noStore = { 'Cache-Control': 'no-store' }

/** Where a request of a page came from. */
export const senderOf = (request: FastifyRequest): DashboardRequest['sender'] => ({
  headers: request.headers as DashboardRequest['sender']['headers'],
  remoteAddress: request.socket.remoteAddress ?? '',
  address: peerAddress(request.ip),
})

const toRequest = (
  operationId: keyof typeof operations,
  request: FastifyRequest,
): DashboardRequest => ({
  operationId,
  sender: senderOf(request),
  body: Buffer.isBuffer(request.body) ? request.body : new Uint8Array(),
})

const send = (reply: FastifyReply, request: FastifyRequest, answer: WireAnswer): FastifyReply =>
  reply
    .code(answer.status)
    .headers(answer.headers)
    .header('Request-Id', request.id)
    .type('application/json')
    .send(JSON.stringify(answer.body))
