import { ApiError } from '../../kernel/errors.ts'
import type { AnyOperationId } from '../../kernel/operation.ts'
import { auditPage } from '../audit-page.ts'
import type { PageHandler } from '../page-handler.ts'
import { canResend, isMasked, requireCall } from './request.ts'

export const dashboardRequestResend: PageHandler<'dashboardRequestResend'> = async (
  ctx,
  { body },
) => {
  await ctx.calls.write()
  const { call, bodies } = await requireCall(ctx, body.id)
  const request = bodies?.request ?? null
  if (isMasked(ctx) || !canResend(bodies) || request === null)
    throw new ApiError('OBJECT_NOT_FOUND')
  // Before the call: whatever it does, somebody has asked for it.
  await ctx.service.database.transaction((db) =>
    auditPage({ ...ctx, db }, 'request.resend', body.id, { operation: call.operation_id }),
  )
  return ctx.calls.resend({
    clientId: ctx.client.client_id,
    operationId: call.operation_id as AnyOperationId,
    requestId: call.request_id,
    version: call.version,
    body: request,
  })
}
dashboardRequestResend.isApart = true
