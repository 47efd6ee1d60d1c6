import { readListPlace, toListCursor } from '../../kernel/list-cursor.ts'
import { type KeptCall, outcomeOf, termsOf } from '../../pipeline/request-log-store.ts'
import { momentOf } from '../filter.ts'
import type { LookHandler, PageBody } from '../page-handler.ts'
import { readPage } from '../pages.ts'
import { toDashboardRequest } from './request.ts'
import { searchCalls } from './search-calls.ts'

export const dashboardRequestList: LookHandler<'dashboardRequestList'> = async (ctx, { body }) => {
  await ctx.calls.write()
  const { operation_id, status, error_code, item_id, outcome } = body
  const asked = { operation_id, status, error_code, item_id, outcome }
  const terms = termsOf(withoutUndefined(asked))
  const [from, to] = [momentOf(body.from), momentOf(body.to)]
  const { rows, next_cursor } = await readPage(
    body,
    (cursor, limit) => {
      const before = cursor === undefined ? undefined : placeOf(cursor)
      const search = { before, terms, from, to }
      const fits = (call: KeptCall) => isMeant(call, terms, from, to)
      return searchCalls(ctx.db, ctx.client.client_id, search, fits, limit)
    },
    ({ sequence, request_id }) => toListCursor('calls', sequence, request_id),
  )
  return { requests: rows.map(toDashboardRequest), next_cursor }
}
dashboardRequestList.isApart = true

type Asked = Pick<
  PageBody<'dashboardRequestList'>,
  'operation_id' | 'status' | 'error_code' | 'item_id' | 'outcome'
>

const withoutUndefined = (asked: { [Name in keyof Asked]: Asked[Name] | undefined }): Asked =>
  Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined))

function placeOf(cursor: string): { sequence: number; request_id: string } {
  const { sequence, name } = readListPlace('calls', cursor)
  return { sequence, request_id: name }
}

function isMeant(
  call: KeptCall,
  terms: readonly string[],
  from: string | undefined,
  to: string | undefined,
): boolean {
  const own = termsOf({ ...call, outcome: outcomeOf(call) })
  const isInTime = (from === undefined || call.at >= from) && (to === undefined || call.at < to)
  return isInTime && terms.every((term) => own.includes(term))
}
