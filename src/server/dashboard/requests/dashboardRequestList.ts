import { readListPlace, toListCursor } from '../../kernel/list-cursor.ts'
import {
  type KeptCall,
  statusClassPart,
  termPart,
  termTextOf,
} from '../../pipeline/request-log-store.ts'
import { momentOf } from '../filter.ts'
import type { LookHandler, PageBody } from '../page-handler.ts'
import { readPage } from '../pages.ts'
import { codeBy, operationsBy } from './options.ts'
import { toDashboardRequest } from './request.ts'
import { searchCalls } from './search-calls.ts'
import type { CallSearch } from './store.ts'

export const dashboardRequestList: LookHandler<'dashboardRequestList'> = async (ctx, { body }) => {
  const asked = toSearch(body)
  await ctx.calls.write()
  const { rows, next_cursor } = await readPage(
    body,
    (cursor, limit) => {
      const before = cursor === undefined ? undefined : placeOf(cursor)
      const fits = (call: KeptCall) => isMeant(call, asked)
      return searchCalls(ctx.db, ctx.client.client_id, { ...asked, before }, fits, limit)
    },
    ({ sequence, request_id }) => toListCursor('calls', sequence, request_id),
  )
  return { requests: rows.map(toDashboardRequest), next_cursor }
}
dashboardRequestList.isApart = true

type Asked = Omit<CallSearch, 'before'>

/** What to look for, from the filters that are given. */
function toSearch(body: PageBody<'dashboardRequestList'>): Asked {
  const { operation_id, outcome, status, status_class, error_code, item_id, request_id } = body
  const parts: string[][] = []
  if (operation_id !== undefined) {
    parts.push(operationsBy(operation_id).map((one) => termPart('operation', one)))
  }
  if (outcome !== undefined) parts.push([termPart('outcome', outcome)])
  if (status !== undefined) parts.push([termPart('status', status)])
  if (status_class !== undefined) parts.push([statusClassPart(status_class)])
  if (error_code !== undefined) parts.push([termPart('error', codeBy(error_code))])
  if (item_id !== undefined) parts.push([termPart('item', item_id)])
  return { parts, requestId: request_id, from: momentOf(body.from), to: momentOf(body.to) }
}

function placeOf(cursor: string): { sequence: number; request_id: string } {
  const { sequence, name } = readListPlace('calls', cursor)
  return { sequence, request_id: name }
}

/** A row has what is looked for. Whether a call of it has all of that is seen only here. */
function isMeant(call: KeptCall, { parts, requestId, from, to }: Asked): boolean {
  const terms = termTextOf(call)
  const isIt = requestId === undefined || call.request_id === requestId
  const isInTime = (from === undefined || call.at >= from) && (to === undefined || call.at < to)
  return isIt && isInTime && parts.every((some) => some.some((part) => terms.includes(part)))
}
