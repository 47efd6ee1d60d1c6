import { foreignCursor, readListPlace, toListCursor } from '../../kernel/list-cursor.ts'
import type { HandlerOf, ResponseOf } from '../../kernel/operation.ts'
import {
  type KeptCall,
  type ListedPart,
  listCalls,
  listCallsIn,
} from '../../pipeline/request-log-store.ts'

const defaultCount = 100

export const sandboxRequestList: HandlerOf<'sandboxRequestList'> = async (ctx, { body }) => {
  const { cursor = null, count = defaultCount } = body
  const { client_id } = ctx.client
  const part = cursor === null ? undefined : readCursor(cursor)
  const calls = await (part ? listCallsIn(ctx.db, client_id, part) : listCalls(ctx.db, client_id))
  const page = calls.slice(0, count)
  const [last, end] = [page.at(-1), calls.at(-1)]
  const isMore = calls.length > count && last && end
  return {
    requests: page.map(toEntry),
    next_cursor: isMore ? toCursor({ after: last, least: part?.least ?? end.sequence }) : null,
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

/** Where the list goes on, and where it ends: later calls must not move its end. */
const toCursor = ({ after, least }: ListedPart): string =>
  toListCursor('requests', after.sequence, `${after.request_id}.${least}`)

function readCursor(cursor: string): ListedPart {
  const { sequence, name } = readListPlace('requests', cursor)
  const [request_id = '', least = ''] = name.split('.')
  if (!/^\d{1,16}$/.test(least)) throw foreignCursor()
  return { after: { sequence, request_id }, least: Number(least) }
}
