import { readListPlace, toListCursor } from '../../kernel/list-cursor.ts'
import type { HandlerOf, ResponseOf } from '../../kernel/operation.ts'
import { type KeptCall, latestFirst, listCalls } from '../../pipeline/request-log-store.ts'

const defaultCount = 100

export const sandboxRequestList: HandlerOf<'sandboxRequestList'> = async (ctx, { body }) => {
  const { cursor = null, count = defaultCount } = body
  const isLater = cursor === null ? () => true : isAfter(cursor)
  const calls = (await listCalls(ctx.db, ctx.client.client_id)).filter(isLater)
  const page = calls.slice(0, count)
  const last = page.at(-1)
  return {
    requests: page.map(toEntry),
    next_cursor: last && calls.length > count ? toCursor(last) : null,
  }
}
sandboxRequestList.reads = true
sandboxRequestList.single = true

const toEntry = (call: KeptCall): ResponseOf<'sandboxRequestList'>['requests'][number] => ({
  at: call.at,
  request_id: call.request_id,
  path: call.path,
  version: call.version,
  status: call.status,
  error_code: call.error_code,
  duration_ms: call.duration_ms,
})

const toCursor = ({ sequence, request_id }: KeptCall): string =>
  toListCursor('requests', sequence, request_id)

/** The cursor holds the position of the last call of the previous page. */
function isAfter(cursor: string): (call: KeptCall) => boolean {
  const { sequence, name } = readListPlace('requests', cursor)
  return (call) => latestFirst({ sequence, request_id: name }, call) < 0
}
