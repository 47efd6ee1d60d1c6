import type { Duplex } from 'node:stream'
import { ApiError, toErrorBody } from '../kernel/errors.ts'
import { newRequestTrace, noTelemetry, type Telemetry } from '../kernel/telemetry.ts'
import { noSniffing } from './security-headers.ts'

/** What a response without a request needs. */
interface Answering {
  newRequestId(): string
  docsUrl(): string | undefined
  telemetry?: Telemetry
  /** The page of a browser that asked for one, in place of JSON. */
  toPage?(start: RequestStart): RawPage | undefined
  /** What is known of the request under way on a connection. */
  started?: StartedRequests
}

/** What a request says before its body. */
export interface RequestStart {
  url: string
  /** The header `Accept-Language`. */
  languages: string
}

export type StartedRequests = WeakMap<Duplex, RequestStart>

/** A page with its headers. */
export interface RawPage {
  headers: Readonly<Record<string, string>>
  html: string
}

/** The packet that Node could not read. */
type Malformed = NodeJS.ErrnoException & { rawPacket?: unknown }

/** What can be read of a malformed request whose first packet is malformed. Others have no address here. */
function readStart({ rawPacket }: Malformed): RequestStart | undefined {
  if (!Buffer.isBuffer(rawPacket)) return undefined
  const [line = '', ...fields] = rawPacket.toString('latin1').split('\r\n')
  const url = /^(?:GET|POST) (\/\S*) HTTP\/1\.[01]$/.exec(line)?.[1]
  if (url === undefined) return undefined
  const field = fields.find((one) => /^accept-language:/i.test(one))
  return { url, languages: field?.replace(/^[^:]*: */, '') ?? '' }
}

/** How long the sender of malformed HTTP may take to read the response. It may never read. */
const leaveMs = 5000

/** Whether Node has waited for a request for longer than it may take. */
export const isLate = ({ code }: NodeJS.ErrnoException): boolean =>
  code === 'ERR_HTTP_REQUEST_TIMEOUT'

const json = { 'Content-Type': 'application/json' }

/** Answers malformed HTTP. There is no request object, so the response is written as text. */
export function answerMalformed(
  socket: Duplex,
  cause: Malformed,
  { newRequestId, docsUrl, telemetry = noTelemetry, toPage, started }: Answering,
): void {
  if (!socket.writable) return
  const requestId = newRequestId()
  const expected = isLate(cause) ? 'arrive in time' : 'be valid HTTP/1.1'
  const error = new ApiError('INVALID_HEADERS', { message: `the request must ${expected}` })
  const start = readStart(cause) ?? started?.get(socket)
  const page = start && toPage?.(start)
  const body = page?.html ?? JSON.stringify(toErrorBody(error, { requestId, docsUrl: docsUrl() }))
  const bytes = Buffer.byteLength(body)
  const headers = [
    'HTTP/1.1 400 Bad Request',
    ...Object.entries(page?.headers ?? json).map((field) => field.join(': ')),
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
