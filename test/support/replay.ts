import { operations } from '#contract/operations.ts'
import { operations as undatedOperations } from '../../generated/undated.ts'
import { prepareReplay, type Replay } from '../../src/conform/replay.ts'
import { type Body, jsonHeaders } from './mock.ts'

interface Replayed {
  status: number
  headers: Headers
  body: Body
}

type Send = (path: string, init: RequestInit) => Promise<Response>

const all: Record<string, { path: string }> = { ...operations, ...undatedOperations }
const pathOf = (operationId: string): string => all[operationId]?.path ?? ''

/** Runs what has to be before, sends the request, and returns what it gets. */
export async function sendReplay(replay: Replay, send: Send): Promise<Replayed> {
  const stage = {
    pathOf,
    headers: jsonHeaders,
    async call(operationId: string, body: Body) {
      const init = { headers: jsonHeaders, body: JSON.stringify(body) }
      const done = await send(pathOf(operationId), init)
      const answer = (await done.json()) as Body
      if (done.status !== 200) throw new Error(`${operationId}: ${JSON.stringify(answer)}`)
      return answer
    },
  }
  const { path, method, headers, body } = await prepareReplay(replay, stage)
  const response = await send(path, { method, headers, body: Buffer.from(body) })
  const { status, headers: answered } = response
  return { status, headers: answered, body: (await response.json()) as Body }
}

/** What of a body depends on the one request and on where the service runs is left out. */
export function withoutPlace({ request_id: _, documentation_url, error_uri, ...body }: Body): Body {
  const page = String(documentation_url ?? error_uri ?? '').split('#')[1]
  return page === undefined ? body : { ...body, page }
}
