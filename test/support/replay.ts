import { operations } from '../../generated/2020-09-14/operations.ts'
import { operations as verbs } from '../../generated/sandbox/operations.ts'
import type { CatalogueEntry } from '../../scripts/contract.ts'
import { type Body, jsonHeaders } from './mock.ts'

/** `x-replay` of an entry of the error catalogue: a request that gets this error. */
export interface Replay {
  /** Verbs of the control surface to run before, as `<operationId>: <body>`. */
  setup?: Record<string, Body>[]
  operationId?: string
  path?: string
  headers?: Record<string, string | null>
  body?: unknown
  raw?: string
  repeat?: number
  /** Whether it takes stored data, so that the mock cannot answer it. */
  service?: boolean
}

export interface Replayed {
  status: number
  headers: Headers
  body: Body
}

type Send = (path: string, init: RequestInit) => Promise<Response>

export const replayOf = (entry: CatalogueEntry): Replay | undefined =>
  entry['x-replay'] as Replay | undefined

const all: Record<string, { path: string }> = { ...operations, ...verbs }

const pathOf = ({ path, operationId = '' }: Replay): string => path ?? all[operationId]?.path ?? ''

function headersOf(replay: Replay): Record<string, string> {
  const headers = Object.entries({ ...jsonHeaders, ...replay.headers })
  return Object.fromEntries(
    headers.filter((header): header is [string, string] => header[1] !== null),
  )
}

const bodyOf = (replay: Replay): BodyInit =>
  replay.raw === undefined
    ? JSON.stringify(replay.body ?? {})
    : Buffer.from(replay.raw.repeat(replay.repeat ?? 1))

/** Runs what has to be before, sends the request, and returns what it gets. */
export async function sendReplay(replay: Replay, send: Send): Promise<Replayed> {
  for (const step of replay.setup ?? []) {
    for (const [operationId, body] of Object.entries(step)) {
      const headers = jsonHeaders
      const done = await send(all[operationId]?.path ?? operationId, {
        headers,
        body: JSON.stringify(body),
      })
      if (done.status !== 200) throw new Error(`${operationId}: ${await done.text()}`)
    }
  }
  const init = { headers: headersOf(replay), body: bodyOf(replay) }
  const response = await send(pathOf(replay), init)
  const { status, headers } = response
  return { status, headers, body: (await response.json()) as Body }
}

/** What of a body depends on the one request and on where the service runs is left out. */
export function withoutPlace({ request_id: _, documentation_url, error_uri, ...body }: Body): Body {
  const page = String(documentation_url ?? error_uri ?? '').split('#')[1]
  return page === undefined ? body : { ...body, page }
}
