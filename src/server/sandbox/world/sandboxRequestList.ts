import { readListPlace, toListCursor } from '../../kernel/list-cursor.ts'
import type { HandlerOf } from '../../kernel/operation.ts'
import { type KeptCall, latestFirst, listCalls } from '../../pipeline/request-log-store.ts'

const defaultCount = 100

export const sandboxRequestList: HandlerOf<'sandboxRequestList'> = async (ctx, { body }) => {
  const { cursor = null, count = defaultCount } = body
  const isLater = cursor === null ? () => true : isAfter(cursor)
  const calls = (await listCalls(ctx.db, ctx.client.client_id)).filter(isLater)
  const page = calls.slice(0, count)
  const last = page.at(-1)
  return {
    requests: page.map(({ sequence: _, ...entry }) => entry),
    next_cursor: last && calls.length > count ? toCursor(last) : null,
  }
}
sandboxRequestList.reads = true
sandboxRequestList.single = true

const toCursor = ({ sequence, request_id }: KeptCall): string =>
  toListCursor('requests', sequence, request_id)

/** The cursor holds the position of the last call of the previous page. */
function isAfter(cursor: string): (call: KeptCall) => boolean {
  const { sequence, name } = readListPlace('requests', cursor)
  return (call) => latestFirst({ sequence, request_id: name }, call) < 0
}
