import type { Duplex } from 'node:stream'
import { ApiError, toErrorBody } from '../kernel/errors.ts'
import { newRequestTrace, noTelemetry, type Telemetry } from '../kernel/telemetry.ts'
import { noSniffing } from './security-headers.ts'

/** What a response without a request needs. */
interface Answering {
  newRequestId(): string
  docsUrl(): string | undefined
  telemetry?: Telemetry
}

/** How long the sender of malformed HTTP may take to read the response. It may never read. */
const leaveMs = 5000

/** Whether Node has waited for a request for longer than it may take. */
export const isLate = ({ code }: NodeJS.ErrnoException): boolean =>
  code === 'ERR_HTTP_REQUEST_TIMEOUT'

/** Answers malformed HTTP. There is no request object, so the response is written as text. */
export function answerMalformed(
  socket: Duplex,
  cause: NodeJS.ErrnoException,
  { newRequestId, docsUrl, telemetry = noTelemetry }: Answering,
): void {
  if (!socket.writable) return
  const requestId = newRequestId()
  const expected = isLate(cause) ? 'arrive in time' : 'be valid HTTP/1.1'
  const error = new ApiError('INVALID_HEADERS', { message: `the request must ${expected}` })
  const body = JSON.stringify(toErrorBody(error, { requestId, docsUrl: docsUrl() }))
  const bytes = Buffer.byteLength(body)
  const headers = [
    'HTTP/1.1 400 Bad Request',
    'Content-Type: application/json',
    `Content-Length: ${bytes}`,
    noSniffing.join(': '),
    `Request-Id: ${requestId}`,
    'Connection: close',
  ]
  socket.end(`${headers.join('\r\n')}\r\n\r\n${body}`)
  const cut = setTimeout(() => socket.destroy(), leaveMs)
  socket.once('close', () => clearTimeout(cut))
  const known = { requestId, method: 'none', operation: 'none', errorCode: error.code }
  const ended = telemetry.request(newRequestTrace(known))
  ended({ status: error.status, ms: 0, bytes })
}
