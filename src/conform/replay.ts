import type { Example } from '../contract/document.ts'

/** `x-replay` of an example: a request that gets this error, or that succeeds. */
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

type Body = Record<string, unknown>

/** A request that is ready to be sent. */
export interface Prepared {
  path: string
  method: string
  headers: Record<string, string>
  body: Uint8Array
}

/** How a replay reaches the service. */
export interface Stage {
  /** The path of an operation. */
  pathOf(operationId: string): string
  /** The headers of a usual request. */
  headers: Readonly<Record<string, string>>
  /** Makes one call of the setup. It has to succeed. */
  call(operationId: string, body: Body): Promise<unknown>
}

export const replayOf = (example: Example): Replay | undefined =>
  example['x-replay'] as Replay | undefined

/** The operations that a replay calls before its own request. */
export const setupOf = ({ setup = [] }: Replay): string[] => setup.flatMap(Object.keys)

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

function headersOf(replay: Replay, stage: Stage, known: Known): Record<string, string> {
  const headers = Object.entries({ ...stage.headers, ...replay.headers })
  return Object.fromEntries(
    headers.flatMap(([name, value]) => (value === null ? [] : [[name, fill(value, known)]])),
  )
}

const bodyOf = ({ raw, repeat = 1, body = {} }: Replay, known: Known): Uint8Array =>
  new TextEncoder().encode(
    raw === undefined ? fill(JSON.stringify(body), known) : raw.repeat(repeat),
  )

/** Makes all calls of a replay, and returns the operation of the last. */
export async function replayCalls(
  replay: Replay,
  call: (operationId: string, body: Body) => Promise<unknown>,
): Promise<string> {
  const known: Known = new Map()
  const { operationId = '', body = {} } = replay
  const steps = [...(replay.setup ?? []), { [operationId]: body as Body }]
  for (const [id, own] of steps.flatMap(Object.entries)) {
    learn(known, await call(id, JSON.parse(fill(JSON.stringify(own), known))))
  }
  return operationId
}

/** Makes the calls of the setup, and returns the request that follows them. */
export async function prepareReplay(replay: Replay, stage: Stage): Promise<Prepared> {
  const known: Known = new Map()
  for (const step of replay.setup ?? []) {
    for (const [operationId, body] of Object.entries(step)) {
      learn(known, await stage.call(operationId, JSON.parse(fill(JSON.stringify(body), known))))
    }
  }
  const { method = 'POST', path, operationId = '' } = replay
  return {
    path: path ?? stage.pathOf(operationId),
    method,
    headers: headersOf(replay, stage, known),
    body: bodyOf(replay, known),
  }
}
