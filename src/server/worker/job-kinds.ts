import { assetReportEndings, assetReportJobs } from '../asset-reports/jobs.ts'
import { itemJobs } from '../items/jobs.ts'
import type { JobHandlers } from '../kernel/job-handlers.ts'
import { transactionJobs } from '../transactions/jobs.ts'

/** What does each kind of later work; a kind without a handler does not compile. */
export const jobHandlers: JobHandlers = {
  ...itemJobs,
  ...transactionJobs,
  ...assetReportJobs,
}

/** What ends what waits for a job that failed for good; for a kind without one nothing waits. */
export const jobEndings: Partial<JobHandlers> = { ...assetReportEndings }

export const jobKinds: readonly string[] = Object.keys(jobHandlers)
