import type { Duplex } from 'node:stream'
import { ApiError, toErrorBody } from '../kernel/errors.ts'
import { newRequestTrace, noTelemetry, type Telemetry } from '../kernel/telemetry.ts'
import { noSniffing } from './security-headers.ts'

/** What an answer needs to which there is no request. */
interface Answering {
  newRequestId(): string
  docsUrl(): string | undefined
  telemetry?: Telemetry
}

/** How long whoever sent what is no HTTP has to take the answer: it may go on sending, and never read. */
const leaveMs = 5000

/** What is no HTTP has no request to answer by, so the answer is written by hand. */
export function answerMalformed(
  socket: Duplex,
  { code }: NodeJS.ErrnoException,
  { newRequestId, docsUrl, telemetry = noTelemetry }: Answering,
): void {
  if (!socket.writable) return
  const requestId = newRequestId()
  const expected = code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'arrive in time' : 'be valid HTTP/1.1'
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
