import type { IdSource } from './kept-ids.ts'

/** What the request console of an operation starts with; derived from the contract. */
export interface ConsoleOptions {
  path: string
  /** Where requests go; empty for the server of the page. */
  address: string
  /** The request examples, as JSON. */
  examples: { summary: string; body: string }[]
  /** Where fields of the request get their values from, by name. */
  sources: Record<string, IdSource>
  clientId: HeaderField
  secret: HeaderField
  version: HeaderField & { values: string[] }
  /** What the header `Prefer` can ask of the mock. */
  preferences: string[]
}

export interface HeaderField {
  header: string
  value: string
}

/** What the reader filled in. */
export interface ConsoleInput {
  address: string
  clientId: string
  secret: string
  version: string
  prefer: string
  body: string
}

export interface ConsoleAnswer {
  status: string
  ok: boolean
  milliseconds: number
  headers: [name: string, value: string][]
  /** Indented, if it is JSON. */
  body: string
}

/** The mock waits a minute at most when `Prefer` asks for a delay. */
const timeout = 90_000

/** Sends the request and waits for the whole answer; throws an Error that says what went wrong. */
export async function sendRequest(
  options: ConsoleOptions,
  input: ConsoleInput,
): Promise<ConsoleAnswer> {
  const url = trimmed(input.address) + options.path
  const start = performance.now()
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: headersOf(options, input),
      body: input.body,
      signal: AbortSignal.timeout(timeout),
    })
    const text = await response.text()
    return {
      status: `${response.status} ${response.statusText}`.trim(),
      ok: response.ok,
      milliseconds: Math.round(performance.now() - start),
      headers: [...response.headers],
      body: indented(text),
    }
  } catch (error) {
    throw new Error(`No answer from ${url}. Is the service running there, and reachable?`, {
      cause: error,
    })
  }
}

/** The metadata of RFC 8414, which the service has and the mock has not. */
const serviceMetadata = '/.well-known/oauth-authorization-server'

/** Whether the mock answers at an address: it refuses as the service does, and has no metadata. */
export async function isMock(address: string): Promise<boolean> {
  try {
    const response = await fetch(trimmed(address) + serviceMetadata)
    if (response.ok) return false
    return 'error_code' in (await response.json())
  } catch {
    return false
  }
}

const trimmed = (address: string): string => address.replace(/\/+$/, '')

function headersOf(options: ConsoleOptions, input: ConsoleInput): [string, string][] {
  const all: [string, string][] = [
    ['Content-Type', 'application/json'],
    [options.clientId.header, input.clientId],
    [options.secret.header, input.secret],
    [options.version.header, input.version],
    ['Prefer', input.prefer],
  ]
  return all.filter(([, value]) => value.trim() !== '')
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Why a body is no JSON; an empty string if it is. It can be sent all the same. */
export function jsonProblem(body: string): string {
  try {
    JSON.parse(body)
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
