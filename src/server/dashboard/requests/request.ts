import type { DashboardRequest } from '../../../../generated/dashboard/closed.ts'
import { ApiError } from '../../kernel/errors.ts'
import { type CallBodies, openBodies } from '../../pipeline/call-bodies.ts'
import { type KeptCall, readEntries } from '../../pipeline/request-log-store.ts'
import type { LookContext } from '../page-handler.ts'
import { findRowOf } from './store.ts'

/** A call as lists show it. */
export const toDashboardRequest = (call: KeptCall): DashboardRequest => ({
  request_id: call.request_id,
  at: call.at,
  operation_id: call.operation_id,
  path: call.path,
  version: call.version,
  status: call.status,
  error_code: call.error_code,
  duration_ms: call.duration_ms,
  item_id: call.item_id ?? null,
  resent_from: call.resent_from ?? null,
  injected: call.injected ?? null,
})

/** A stored call, with its bodies where they are stored. */
export async function requireCall(
  ctx: LookContext,
  id: string,
): Promise<{ call: KeptCall; bodies: CallBodies | undefined }> {
  // Ids consist of letters and digits; other texts would have a meaning in the search.
  const row = /^[A-Za-z0-9]+$/.test(id)
    ? await findRowOf(ctx.db, ctx.client.client_id, id)
    : undefined
  const calls = row ? readEntries(row) : []
  const index = calls.findIndex(({ request_id }) => request_id === id)
  const call = calls[index]
  if (!row || !call) throw new ApiError('OBJECT_NOT_FOUND')
  const bodies = row.bodies === null ? undefined : openBodies(ctx.keys, row.bodies)[index]
  return { call, bodies: bodies ?? undefined }
}

/** Whether a call can be run again with what is stored of it. */
export const canResend = (bodies: CallBodies | undefined): boolean =>
  bodies !== undefined && bodies.request !== null && !bodies.bearer && !bodies.cut

/** Whether bodies are stored without what tells about a person. */
export const isMasked = ({ settings }: LookContext): boolean =>
  settings.environment === 'production'
