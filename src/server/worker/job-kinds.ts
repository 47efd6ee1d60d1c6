import { assetReportEndings, assetReportJobs } from '../asset-reports/jobs.ts'
import { itemJobs } from '../items/jobs.ts'
import { transactionJobs } from '../transactions/jobs.ts'

/** Every kind of work that is done later, with what does it. */
export const jobHandlers = {
  ...itemJobs,
  ...transactionJobs,
  ...assetReportJobs,
}

/** What ends what waits for a job that failed for good; for a kind without one nothing waits. */
export const jobEndings = { ...assetReportEndings }

export const jobKinds: readonly string[] = Object.keys(jobHandlers)

/** The name of a kind of work. */
export type JobKind = keyof typeof jobHandlers

/** What a kind of work is told; it is stored as JSON. */
export type JobPayload<Kind extends JobKind> = Parameters<(typeof jobHandlers)[Kind]>[1]
