import { lookup as lookUp } from 'node:dns'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { WebhookTargets } from '../../kernel/allowed-target.ts'
import { checkedLookup, ForbiddenTarget, rejectAddress } from '../../kernel/checked-lookup.ts'
import { keptAnswerBytes } from '../../queue/webhook-attempt-store.ts'

/** One request to a receiver. */
export interface WebhookPost {
  url: string
  headers: Record<string, string>
  body: string
  /** The time limit for the response headers. */
  timeoutMs: number
  /** The allowed addresses. `public` also requires https. */
  targets: WebhookTargets
  /** Aborts the request. */
  signal?: AbortSignal
  /** Resolves a host name to addresses. */
  lookup?: LookupFunction
}

/** The result: a status, or the reason why there is none. */
export interface Outcome {
  status_code: number | null
  error: string | null
  /** The address is not allowed, so a retry is useless. */
  forbidden: boolean
  /** The body of the response. Null without a response. */
  answer: Answer | null
}

/** What is kept of a response body. */
export interface Answer {
  /** Its beginning. */
  head: Buffer
  /** How many bytes were read. */
  bytes: number
}

/** How many bytes of a response are read, so that the receiver can finish sending. */
const longestAnswer = 65_536

/**
 * The time limit for reading the body. The delivery counts as in flight until then, so endless
 * responses do not accumulate.
 */
const restMs = 1000

/** The stored error of a receiver that did not respond in time. */
export const timeoutError = 'timeout'

class Late extends Error {}

/** Posts a body and waits for the status of the response. Follows no redirect and never throws. */
export async function postWebhook(post: WebhookPost): Promise<Outcome> {
  try {
    const { status, answer } = await send(post, targetOf(post))
    return { status_code: status, error: null, forbidden: false, answer }
  } catch (error) {
    const forbidden = error instanceof ForbiddenTarget
    return { status_code: null, error: describe(error), forbidden, answer: null }
  }
}

function targetOf({ url, targets }: WebhookPost): URL {
  if (!URL.canParse(url)) throw new ForbiddenTarget('the address is malformed')
  const target = new URL(url)
  if (targets === 'public' && target.protocol !== 'https:') {
    throw new ForbiddenTarget('the address is not https')
  }
  rejectAddress(target, targets)
  return target
}

function send(post: WebhookPost, target: URL): Promise<{ status: number; answer: Answer }> {
  const { body, headers, timeoutMs, targets, signal, lookup = lookUp } = post
  return new Promise((resolve, reject) => {
    const request = (target.protocol === 'https:' ? httpsRequest : httpRequest)(target, {
      method: 'POST',
      headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
      // A new connection each time: its address was checked for this request, and nothing that an
      // earlier request left on it can count as the outcome of this one.
      agent: false,
      lookup: checkedLookup(lookup as LookupFunction, targets),
      ...(signal ? { signal } : {}),
    })
    const answer: Answer = { head: Buffer.alloc(0), bytes: 0 }
    let status: number | undefined
    let timer = setTimeout(() => request.destroy(new Late()), timeoutMs)
    request.on('error', (error) => {
      if (status === undefined) reject(error)
    })
    request.on('response', (response) => {
      status = response.statusCode ?? 0
      readHead(response, answer)
      clearTimeout(timer)
      timer = setTimeout(() => request.destroy(), restMs)
    })
    // Without an error or a response it ends if a receiver switches to another protocol.
    request.on('close', () => {
      clearTimeout(timer)
      if (status === undefined) reject(new Error('no answer'))
      else resolve({ status, answer })
    })
    request.end(body)
  })
}

/** Reads a response up to a limit, and keeps its beginning. The time limit still applies. */
function readHead(response: IncomingMessage, answer: Answer): void {
  response.on('data', (chunk: Buffer) => {
    const room = keptAnswerBytes - answer.head.length
    if (room > 0) answer.head = Buffer.concat([answer.head, chunk.subarray(0, room)])
    answer.bytes += chunk.length
    if (answer.bytes > longestAnswer) response.destroy()
  })
  // The status counts, even if reading the body fails.
  response.on('error', () => {})
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed without an answer',
  EPIPE: 'connection closed without an answer',
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'host not found',
  ETIMEDOUT: timeoutError,
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
}

function describe(error: unknown): string {
  if (error instanceof ForbiddenTarget) return error.message
  if (error instanceof Late) return timeoutError
  const { code = '' } = error as NodeJS.ErrnoException
  return reasons[code] ?? `no answer${code ? ` (${code})` : ''}`
}
