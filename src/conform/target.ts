import { setTimeout as sleep } from 'node:timers/promises'
import { headerNames } from '#contract/operations.ts'
import type { Answer } from '../contract/judge-answer.ts'
import type { Prepared } from './replay.ts'

/** Who calls. */
export interface Credentials {
  clientId: string
  secret: string
}

/** An answer, with what programs read first. */
export interface Answered extends Answer {
  /** `error_code`, or `error` of the token operations. */
  code: string | undefined
}

/** The service that is judged. */
export interface Target {
  base: string
  /** How many requests were sent. */
  sent(): number
  headers(credentials: Credentials | undefined, version: string): Record<string, string>
  /** Sends a request, and repeats it after a 429 unless `limited` is set. */
  send(request: Prepared, options?: { limited?: boolean }): Promise<Answered>
}

export interface TargetOptions {
  base: string
  timeout: number
  /** Told of a rate limit, with the seconds to wait. */
  onWait(seconds: number): void
}

/** The service gave no answer. */
export class NoAnswer extends Error {}

/** A rate limit counts by the minute. */
const longestWait = 61
const mostWaits = 3

/** No answer of the contract is that long. */
const mostBytes = 64 * 1024 * 1024
/** An operation that was silent so often is not asked again: each time takes the whole timeout. */
const mostSilences = 3

export function createTarget({ base, timeout, onWait }: TargetOptions): Target {
  let sent = 0
  const silences = new Map<string, number>()
  const sendOnce = async ({ path, method, headers, body }: Prepared): Promise<Answered> => {
    const silent = silences.get(path) ?? 0
    if (silent >= mostSilences) throw new NoAnswer(`not asked: it was silent ${silent} times`)
    sent += 1
    const init = { method, headers, redirect: 'manual' as const }
    const signal = AbortSignal.timeout(timeout)
    const withBody = method === 'GET' ? {} : { body: body as Uint8Array<ArrayBuffer> }
    try {
      const response = await fetch(base + path, { ...init, ...withBody, signal })
      return toAnswered(response, await readText(response))
    } catch (error) {
      if ((error as Error).name === 'TimeoutError') silences.set(path, silent + 1)
      throw new NoAnswer(reasonOf(error as Error, timeout))
    }
  }
  return {
    base,
    sent: () => sent,
    headers: (credentials, version) => ({
      'Content-Type': 'application/json',
      ...(credentials && {
        [headerNames.clientId]: credentials.clientId,
        [headerNames.secret]: credentials.secret,
      }),
      [headerNames.version]: version,
    }),
    async send(request, { limited = false } = {}) {
      for (let waits = 0; ; waits += 1) {
        const answered = await sendOnce(request)
        const seconds = Number(answered.header('retry-after') ?? Number.NaN)
        const isOver = limited || answered.status !== 429 || waits === mostWaits
        if (isOver || !(seconds <= longestWait)) return answered
        onWait(seconds)
        await sleep(seconds * 1000 + 50)
      }
    },
  }
}

/** A byte order mark is part of the text, since JSON begins with none (RFC 8259 section 8.1). */
async function readText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let text = ''
  let bytes = 0
  for await (const chunk of (body as AsyncIterable<Uint8Array> | null) ?? []) {
    bytes += chunk.length
    if (bytes > mostBytes) throw new Error(`the body has more than ${mostBytes} bytes`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** Codes are told in reports, and other texts may have secrets. */
const codeForm = /^[A-Za-z][A-Za-z0-9_]{0,63}$/

function toAnswered(response: Response, text: string): Answered {
  const body = parse(text)
  const { error_code, error } = Object(body) as Record<string, unknown>
  const code = error_code ?? error
  return {
    status: response.status,
    header: (name) => response.headers.get(name) ?? undefined,
    body,
    code: typeof code === 'string' && codeForm.test(code) ? code : undefined,
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function reasonOf(error: Error, timeout: number): string {
  if (error.name === 'TimeoutError') return `no answer within ${timeout / 1000} seconds`
  const { code, message } = (error.cause ?? error) as NodeJS.ErrnoException
  return `no answer: ${code ?? message}`
}
