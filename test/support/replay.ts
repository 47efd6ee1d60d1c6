import { operations } from '#contract/operations.ts'
import { operations as undatedOperations } from '../../generated/undated.ts'
import type { CatalogueEntry } from '../../scripts/contract/catalogue.ts'
import { type Body, jsonHeaders } from './mock.ts'

/** `x-replay` of an entry of the error catalogue: a request that gets this error. */
export interface Replay {
  /**
   * Calls before it, as `<operationId>: <body>`. What their answers hold stands for `{name}` in what
   * follows.
   */
  setup?: Record<string, Body>[]
  operationId?: string
  path?: string
  /** POST, unless said. */
  method?: string
  headers?: Record<string, string | null>
  body?: unknown
  raw?: string
  repeat?: number
  /** Whether it takes stored data, so that the mock cannot answer it. */
  service?: boolean
}

interface Replayed {
  status: number
  headers: Headers
  body: Body
}

type Send = (path: string, init: RequestInit) => Promise<Response>

export const replayOf = (entry: CatalogueEntry): Replay | undefined =>
  entry['x-replay'] as Replay | undefined

const all: Record<string, { path: string }> = { ...operations, ...undatedOperations }

const pathOf = ({ path, operationId = '' }: Replay): string => path ?? all[operationId]?.path ?? ''

type Known = Map<string, string>

/** Keeps every text of an answer under the name of its field, the first of a name. */
function learn(known: Known, value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, part] of Object.entries(value)) {
    if (typeof part === 'string' && !known.has(name)) known.set(name, part)
    learn(known, part)
  }
}

/** Puts what earlier answers held where a text says `{name}`. */
const fill = (text: string, known: Known): string =>
  text.replaceAll(/\{([a-z_]+)\}/g, (place, name) => known.get(name) ?? place)

function headersOf(replay: Replay, known: Known): Record<string, string> {
  const headers = Object.entries({ ...jsonHeaders, ...replay.headers })
  return Object.fromEntries(
    headers.flatMap(([name, value]) => (value === null ? [] : [[name, fill(value, known)]])),
  )
}

const bodyOf = (replay: Replay, known: Known): BodyInit =>
  replay.raw === undefined
    ? fill(JSON.stringify(replay.body ?? {}), known)
    : Buffer.from(replay.raw.repeat(replay.repeat ?? 1))

/** Runs what has to be before, sends the request, and returns what it gets. */
export async function sendReplay(replay: Replay, send: Send): Promise<Replayed> {
  const known: Known = new Map()
  for (const step of replay.setup ?? []) {
    for (const [operationId, body] of Object.entries(step)) {
      const init = { headers: jsonHeaders, body: fill(JSON.stringify(body), known) }
      const done = await send(pathOf({ operationId }), init)
      const answer = (await done.json()) as Body
      if (done.status !== 200) throw new Error(`${operationId}: ${JSON.stringify(answer)}`)
      learn(known, answer)
    }
  }
  const { method = 'POST' } = replay
  const init = { method, headers: headersOf(replay, known), body: bodyOf(replay, known) }
  const response = await send(pathOf(replay), init)
  const { status, headers } = response
  return { status, headers, body: (await response.json()) as Body }
}

/** What of a body depends on the one request and on where the service runs is left out. */
export function withoutPlace({ request_id: _, documentation_url, error_uri, ...body }: Body): Body {
  const page = String(documentation_url ?? error_uri ?? '').split('#')[1]
  return page === undefined ? body : { ...body, page }
}
