import type { Context } from './context.ts'
import type { JobPayloads } from './job-payloads.ts'

/** What does the work of some kinds; a payload that does not fit does not compile. */
export type JobHandlers<Kind extends keyof JobPayloads = keyof JobPayloads> = {
  [Name in Kind]: (ctx: Context, payload: JobPayloads[Name]) => Promise<void>
}
