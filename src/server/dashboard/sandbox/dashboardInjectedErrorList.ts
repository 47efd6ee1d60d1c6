import type { DashboardInjectedError } from '../../../../generated/dashboard/closed.ts'
import { pathOfOperation } from '../../sandbox/world/inject-error.ts'
import { effectOf, type Fault } from '../../sandbox/world/take-fault.ts'
import type { PageHandler } from '../page-handler.ts'
import { listInjectedErrors } from './error-store.ts'

/** Nobody injects more by hand. */
const most = 100

export const dashboardInjectedErrorList: PageHandler<'dashboardInjectedErrorList'> = async (
  ctx,
) => {
  const rows = await listInjectedErrors(ctx, most + 1)
  return { injected_errors: rows.slice(0, most).map(toInjectedError), has_more: rows.length > most }
}
dashboardInjectedErrorList.reads = true

type Row = Awaited<ReturnType<typeof listInjectedErrors>>[number]

function toInjectedError(row: Row): DashboardInjectedError {
  const fault = JSON.parse(row.fault) as Fault
  return {
    id: row.injection_id,
    path: pathOfOperation(row.operation_id),
    effect: effectOf(fault),
    error_code: fault.error_code ?? null,
    delay_ms: fault.delay_ms ?? null,
    times: row.times,
    item_id: row.item_id,
  }
}
