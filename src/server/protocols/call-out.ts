import { lookup as lookUp } from 'node:dns'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { SourceRequest, SourceResponse } from '../../connector/connector.ts'
import { checkedLookup, ForbiddenTarget, rejectAddress } from '../kernel/checked-lookup.ts'
import { SourceFailed } from './source-failed.ts'

/**
 * Which addresses protocols may call. `loopback` adds this machine, over http, in tests. `private` adds
 * private networks, over http, where an operator allows that, but no metadata service of a cloud.
 */
type CallTargets = 'public' | 'loopback' | 'private'

/** One request to a source. */
export type Call = SourceRequest

interface SourceAnswer extends SourceResponse {
  body: Buffer
}

/** Sends a request to a source. Throws `SourceFailed` if there is no whole response. */
export type CallOut = (call: Call) => Promise<SourceAnswer>

const mostMs = 30_000
const mostOfAll = 50 * 1024 * 1024

interface CallOptions {
  targets: CallTargets
  /** Aborts the request. */
  signal?: AbortSignal | undefined
  /** The time limit for the whole response. */
  timeoutMs?: number
}

/** Makes the function by which a protocol calls its source. */
export const createCallOut =
  ({ targets, signal, timeoutMs = mostMs }: CallOptions): CallOut =>
  async (call) => {
    try {
      rejectTarget(call.url, targets)
      return await send(call, { targets, timeoutMs, ...(signal ? { signal } : {}) })
    } catch (error) {
      if (error instanceof SourceFailed) throw error
      throw new SourceFailed('outage', describe(error))
    }
  }

/** Throws for an address that must not be called. */
function rejectTarget(url: URL, targets: CallTargets): void {
  const isPlain = url.protocol === 'http:' && targets !== 'public'
  if (url.protocol !== 'https:' && !isPlain) throw new ForbiddenTarget('the address is not https')
  rejectAddress(url, addressesOf(targets))
}

const addresses = { public: 'public', loopback: 'sandbox', private: 'any' } as const

const addressesOf = (targets: CallTargets) => addresses[targets]

function send(
  { method, url, headers, body, mostBytes = mostOfAll }: Call,
  {
    targets,
    timeoutMs,
    signal,
  }: Required<Pick<CallOptions, 'targets' | 'timeoutMs'>> & Pick<CallOptions, 'signal'>,
): Promise<SourceAnswer> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method,
      headers: {
        'User-Agent': 'financial-data-service',
        Accept: 'application/json, text/plain',
        ...(method === 'POST' ? { 'Content-Length': Buffer.byteLength(body ?? '') } : {}),
        ...headers,
      },
      // A new connection each time, so that its address was checked for this request.
      agent: false,
      lookup: checkedLookup(lookUp as LookupFunction, addressesOf(targets)),
      ...(signal ? { signal } : {}),
    })
    // Of the whole response: a source that sends a byte now and then is late, too.
    const timer = setTimeout(
      () => request.destroy(new SourceFailed('outage', 'the source did not respond in time')),
      timeoutMs,
    )
    request.on('close', () => {
      clearTimeout(timer)
      reject(new SourceFailed('outage', 'the source closed the connection'))
    })
    request.on('error', reject)
    request.on('response', (response) => {
      readBody(response, mostBytes).then(
        (bytes) =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: bytes }),
        (error: unknown) => {
          request.destroy()
          reject(error as Error)
        },
      )
    })
    request.end(body)
  })
}

const toSize = (bytes: number): string =>
  bytes < 1024 * 1024 ? `${bytes / 1024} KB` : `${bytes / 1024 / 1024} MB`

async function readBody(response: IncomingMessage, mostBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    length += chunk.length
    if (length > mostBytes)
      throw new SourceFailed('outage', `the response is larger than ${toSize(mostBytes)}`)
  }
  return Buffer.concat(chunks)
}

/** The reason without the address: its path may be a secret. */
function describe(error: unknown): string {
  if (error instanceof ForbiddenTarget) return error.message
  const { code = '' } = error as NodeJS.ErrnoException
  return `the source gave no response${code ? ` (${code})` : ''}`
}
