import { toTimestamp } from '../../kernel/time.ts'
import type { PageHandler } from '../page-handler.ts'

export const dashboardClockGet: PageHandler<'dashboardClockGet'> = async (ctx) => ({
  now: ctx.now,
  real_now: toTimestamp(ctx.realMs()),
})
dashboardClockGet.reads = true
