import { readListPlace, toListCursor } from '../kernel/list-cursor.ts'
import type { HandlerOf } from '../kernel/operation.ts'
import { type CallPlace, latestFirst, listCallsAfter, lowDigits } from './request-log-store.ts'

const defaultCount = 100
const list = 'tail'
/** Processes write their calls in batches. Within this time, every call has been written. */
const settledAfterMs = 2000

export const requestsTail: HandlerOf<'requestsTail'> = async (ctx, { body }) => {
  const { cursor = null } = body
  const count = body.count ?? defaultCount
  const now = ctx.realMs()
  if (cursor === null) return { requests: [], next_cursor: toListCursor(list, now * lowDigits) }
  const { sequence, name } = readListPlace(list, cursor)
  const after = { sequence, request_id: name }
  const end = (now - settledAfterMs) * lowDigits
  const calls = (await listCallsAfter(ctx, sequence))
    .filter((call) => call.sequence < end && latestFirst(call, after) < 0)
    .slice(0, count)
  const last: CallPlace = calls.at(-1) ?? after
  return {
    requests: calls.map((call) => ({
      at: call.at,
      request_id: call.request_id,
      operation_id: call.operation_id,
      path: call.path,
      version: call.version,
      status: call.status,
      error_code: call.error_code,
      duration_ms: call.duration_ms,
    })),
    next_cursor: toListCursor(list, last.sequence, last.request_id),
  }
}
requestsTail.reads = true
requestsTail.waits = ({ cursor }, { requests }) => cursor != null && requests.length === 0
