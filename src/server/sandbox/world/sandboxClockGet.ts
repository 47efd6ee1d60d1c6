import type { HandlerOf } from '../../kernel/operation.ts'

export const sandboxClockGet: HandlerOf<'sandboxClockGet'> = async (ctx) => {
  return { now: ctx.now }
}
sandboxClockGet.reads = true
sandboxClockGet.single = true
