import type { DashboardBodies, DashboardVerdict } from '../../../../generated/dashboard/closed.ts'
import type { AnyOperationId } from '../../kernel/operation.ts'
import type { CallBodies } from '../../pipeline/call-bodies.ts'
import type { KeptCall } from '../../pipeline/request-log-store.ts'
import { describeOperation, type Version } from '../../versions/select-version.ts'
import type { LookContext, LookHandler } from '../page-handler.ts'
import { recordLook } from '../record-look.ts'
import { canResend, isMasked, requireCall, toDashboardRequest } from './request.ts'

export const dashboardRequestGet: LookHandler<'dashboardRequestGet'> = async (ctx, { body }) => {
  await ctx.calls.write()
  const { call, bodies } = await requireCall(ctx, body.id)
  const shown = ctx.seesPersonalData ? bodies : undefined
  if (shown) {
    await ctx.service.database.transaction(
      (db) => recordLook({ ...ctx, db }, 'request.view', body.id),
      { owner: ctx.client.client_id },
    )
  }
  return {
    request: toDashboardRequest(call),
    bodies: statusOf(ctx, bodies),
    headers: Object.entries(shown?.headers ?? {}).map(([name, value]) => ({ name, value })),
    request_body: shown?.request ?? null,
    response_body: shown?.answer ?? null,
    // A masked body breaks the contract where the sent one did not.
    verdict: shown && !isMasked(ctx) ? await judge(call, shown) : null,
    can_resend: !isMasked(ctx) && canResend(bodies),
  }
}
dashboardRequestGet.isApart = true

function statusOf(ctx: LookContext, bodies: CallBodies | undefined): DashboardBodies {
  if (bodies === undefined) return 'not_stored'
  if (!ctx.seesPersonalData) return 'not_shown'
  return isMasked(ctx) ? 'masked' : 'stored'
}

type Faults = DashboardVerdict['request']
const mostTold = 20

/** What the contract says of both bodies. A body that is not stored whole is not judged. */
async function judge(call: KeptCall, bodies: CallBodies): Promise<DashboardVerdict> {
  const described = await describeOperation(
    call.operation_id as AnyOperationId,
    call.version as Version,
  )
  const { request, response } = await described.validators()
  const answer = call.status === 200 ? bodies.answer : null
  return {
    request: faultsOf(bodies.request, (value) => request.issues(value)),
    response: faultsOf(answer, (value) => response.issues(value)),
  }
}

function faultsOf(
  text: string | null,
  judgeBody: (value: unknown) => readonly { path: string; message: string }[],
): Faults {
  if (text === null) return []
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // It was cut, or it never was JSON, which the error says.
    return []
  }
  return judgeBody(value)
    .slice(0, mostTold)
    .map(({ path, message }) => ({ field: path, message }))
}
