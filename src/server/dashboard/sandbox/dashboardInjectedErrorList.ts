import type { DashboardInjectedError } from '../../../../generated/dashboard/closed.ts'
import { pathOfOperation } from '../../sandbox/world/inject-error.ts'
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
  const { error_code, delay_ms, drop } = JSON.parse(row.fault) as Fault
  return {
    id: row.injection_id,
    path: pathOfOperation(row.operation_id),
    effect: effectOf({ error_code, delay_ms, drop }),
    error_code: error_code ?? null,
    delay_ms: delay_ms ?? null,
    times: row.times,
    item_id: row.item_id,
  }
}

interface Fault {
  error_code?: string | undefined
  delay_ms?: number | undefined
  drop?: true | undefined
}

function effectOf({ error_code, delay_ms, drop }: Fault): DashboardInjectedError['effect'] {
  if (error_code !== undefined) return 'error'
  if (delay_ms !== undefined) return 'delay'
  return drop ? 'drop' : 'unknown_enum'
}
