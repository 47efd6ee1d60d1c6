import {
  Agent,
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request as requestHttp,
  type Server,
  type ServerResponse,
} from 'node:http'
import { request as requestHttps, Agent as TlsAgent } from 'node:https'
import type { Version } from '../../generated/versions.ts'
import { newRequestId } from '../server/kernel/ids.ts'
import { type Checked, checkExchange, type ExchangeFinding } from './check-exchange.ts'
import { type Collected, createCollected } from './collect.ts'
import type { ContractIndex } from './contract-index.ts'
import { createEvents, eventsPath } from './events.ts'
import { passHeaders } from './pass-headers.ts'

/** What was found in one exchange, as the log and the events tell it. It has no values of bodies. */
export interface Told {
  at: string
  operation: string
  version: string
  status: number
  request_id: string | undefined
  findings: ExchangeFinding[]
}

/** What a proxy is told. */
export interface ProxyOptions {
  upstream: URL
  index: ContractIndex
  /** The version of requests without the header. */
  version: Version
  /** Whether an answer that breaks the contract is replaced. */
  enforce: boolean
  /** The largest body that is checked. */
  mostBytes: number
  /** How long the upstream may be silent before it has sent its answer, in ms. It does not bound streams. */
  timeout: number
  /** Whether the value of a Host header may be used. */
  isHost(host: string | undefined): boolean
  log(told: Told): void
  /** Told of an upstream that does not answer. */
  onFailure(message: string): void
}

const mostConnections = 512
const idleMs = 72_000

/** Makes a server that passes requests on to the upstream, and checks both bodies. */
export function createProxy(options: ProxyOptions): Server {
  const { upstream, isHost } = options
  const agentOptions = { keepAlive: true, maxSockets: mostConnections }
  const isTls = upstream.protocol === 'https:'
  const agent = isTls ? new TlsAgent(agentOptions) : new Agent(agentOptions)
  const events = createEvents()
  const pass = createPass({ ...options, agent, tell: (told) => events.send(told) })
  const server = createServer((request, response) => {
    // A page of another site could otherwise reach the upstream under its own name.
    if (!isHost(request.headers.host)) return fail(response, 403, 'the header Host is not allowed')
    const path = pathOf(request)
    if (path !== eventsPath) return pass(request, response)
    if (request.method === 'GET') return events.subscribe(request, response)
    return fail(response, 405, `${eventsPath} takes GET`)
  })
  // Longer than clients leave a connection idle: who sends on one that is being closed gets an error.
  server.keepAliveTimeout = idleMs
  server.once('close', () => agent.destroy())
  const close = server.close.bind(server)
  // Otherwise readers of events would keep it open.
  server.close = (callback) => {
    events.close()
    return close(callback)
  }
  return server
}

const pathOf = ({ url = '/' }: IncomingMessage): string => url.split('?')[0] ?? url

interface Passing extends ProxyOptions {
  agent: Agent
  tell(told: Told): void
}

function createPass(passing: Passing) {
  const { upstream, agent, timeout, mostBytes, onFailure } = passing
  const send = upstream.protocol === 'https:' ? requestHttps : requestHttp
  const prefix = upstream.pathname.replace(/\/$/, '')
  return (request: IncomingMessage, response: ServerResponse): void => {
    const sent = createCollected(mostBytes)
    const headers = passHeaders(request.rawHeaders, ['host'])
    const onward = send(upstream, {
      ...{ agent, method: request.method, timeout },
      path: prefix + request.url,
      headers: [...headers, 'Host', upstream.host, ...framing(request)],
    })
    const giveUp = (error: NodeJS.ErrnoException) => {
      // The upstream may end its connection once it has answered, before it has read the request.
      if (response.destroyed || response.writableEnded) return
      const reason = `the upstream gave no answer: ${error.code ?? error.message}`
      onFailure(reason)
      if (response.headersSent) response.destroy()
      else fail(response, error.code === 'ETIMEDOUT' ? 504 : 502, reason)
    }
    onward.once('timeout', () => {
      giveUp(timedOut(timeout))
      onward.destroy()
    })
    onward.on('error', giveUp)
    onward.once('response', (answer) => {
      const allowSilence = () => void onward.setTimeout(0)
      passAnswer(passing, { request, sent, answer, response, giveUp, allowSilence })
      answer.once('end', () => {
        if (!onward.writableEnded) discard(request, onward)
      })
    })
    // The client has gone, or its request has ended early.
    response.once('close', () => {
      if (!response.writableFinished) onward.destroy()
    })
    request.once('close', () => {
      if (!request.complete) onward.destroy()
    })
    onward.once('close', () => request.unpipe(onward).resume())
    request.on('data', (chunk: Buffer) => sent.add(chunk))
    request.pipe(onward)
  }
}

/**
 * Reads the rest of a request that has been answered, or the next one on its connection would never be
 * read. The upstream may have stopped reading.
 */
function discard(request: IncomingMessage, onward: ClientRequest): void {
  request.unpipe(onward)
  request.resume()
  onward.destroy()
}

/** A body without a length is sent in chunks, as it came. */
const framing = ({ headers }: IncomingMessage): string[] =>
  'transfer-encoding' in headers ? ['Transfer-Encoding', 'chunked'] : []

const timedOut = (timeout: number): Error =>
  Object.assign(new Error(`no answer within ${timeout / 1000} seconds`), { code: 'ETIMEDOUT' })

interface Passed {
  request: IncomingMessage
  sent: Collected
  answer: IncomingMessage
  response: ServerResponse
  giveUp(error: NodeJS.ErrnoException): void
  /** Lifts the bound of the upstream's silence. */
  allowSilence(): void
}

/** Passes an answer on: at once, or once its body has been checked. */
function passAnswer(passing: Passing, passed: Passed): void {
  const { request, answer, giveUp } = passed
  answer.once('aborted', () => giveUp(new Error('it closed the connection')))
  answer.once('error', giveUp)
  // The contract has no other method.
  const isOperation = request.method === 'POST' && passing.index.has(pathOf(request))
  if (isOperation) collect(passing, passed)
  else stream(passed)
}

/** Passes on what was read of an answer, and the rest as it comes. */
function stream(
  { answer, response, allowSilence }: Passed,
  headers: readonly string[] = [],
  before: readonly Buffer[] = [],
): void {
  allowSilence()
  begin(answer, response, headers)
  for (const chunk of before) response.write(chunk)
  answer.pipe(response)
}

function begin(answer: IncomingMessage, response: ServerResponse, more: readonly string[]): void {
  const headers = [...passHeaders(answer.rawHeaders), ...more]
  response.sendDate = false
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage, headers)
}

/** Reads an answer whole, and checks it; one that is too large passes unchecked. */
function collect(passing: Passing, passed: Passed): void {
  const { answer, giveUp } = passed
  const received = createCollected(passing.mostBytes)
  const onData = (chunk: Buffer) => {
    const before = received.take()
    received.add(chunk)
    if (!received.isOver()) return
    answer.off('data', onData).off('end', onEnd)
    stream(passed, [checkHeader, 'unchecked'], [...before, chunk])
  }
  const onEnd = () => {
    finish(passing, passed, received.whole() ?? Buffer.alloc(0)).catch(giveUp)
  }
  answer.on('data', onData).once('end', onEnd)
}

const checkHeader = 'Contract-Check'
const findingHeader = 'Contract-Finding'
const mostFindings = 5

async function finish(passing: Passing, passed: Passed, body: Buffer): Promise<void> {
  const { request, sent, answer, response } = passed
  const status = answer.statusCode ?? 502
  const exchange = {
    path: pathOf(request),
    request: { headers: request.headers, body: request.complete ? sent.whole() : undefined },
    answer: { status, headers: answer.headers, body },
  }
  const { index, version, mostBytes, enforce } = passing
  const checked = await checkExchange(index, exchange, { byDefault: version, mostBytes })
  const findings = checked?.findings ?? []
  if (checked && findings.length > 0) tell(passing, checked, status)
  if (response.destroyed) return
  const headers = headersOf(checked)
  if (enforce && findings.some(({ part }) => part === 'answer')) {
    return fail(response, 502, 'the answer of the service breaks the contract', headers)
  }
  begin(answer, response, headers)
  response.end(body)
}

function tell(
  { log, tell: send }: Passing,
  { operationId, version, requestId, findings }: Checked,
  status: number,
): void {
  const at = new Date().toISOString()
  const told = { at, operation: operationId, version, status, request_id: requestId, findings }
  log(told)
  send(told)
}

/** What was found, for the client. Headers have ASCII only. */
function headersOf(checked: Checked | undefined): string[] {
  if (!checked) return []
  const { findings, isJudged } = checked
  const told = findings.slice(0, mostFindings).flatMap(({ part, field, message }) => {
    const text = `${part}; ${field || 'the body'}; ${message}`
    return [findingHeader, text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 200)]
  })
  const good = isJudged ? 'valid' : 'unchecked'
  return [checkHeader, findings.length > 0 ? 'broken' : good, ...told]
}

/** An error of the proxy itself, in the form of the contract's errors. */
function fail(
  response: ServerResponse,
  status: number,
  message: string,
  headers: readonly string[] = [],
): void {
  const request_id = newRequestId()
  const body = JSON.stringify({
    error_type: 'API_ERROR',
    error_code: 'INTERNAL_SERVER_ERROR',
    error_message: `the proxy: ${message}`,
    display_message: null,
    request_id,
  })
  const own = ['Content-Type', 'application/json', 'Request-Id', request_id]
  response.writeHead(status, [...own, ...headers]).end(body)
}
