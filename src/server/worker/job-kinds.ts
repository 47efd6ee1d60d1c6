import { assetReportEndings, assetReportJobs } from '../asset-reports/jobs.ts'
import { hostedEndings, hostedJobs } from '../hosted/jobs.ts'
import { identityVerificationJobs } from '../identity-verification/jobs.ts'
import { itemJobs } from '../items/jobs.ts'
import type { JobHandlers } from '../kernel/job-handlers.ts'
import { transactionJobs } from '../transactions/jobs.ts'

/** The handler of each kind of job. A kind without a handler fails to compile. */
export const jobHandlers: JobHandlers = {
  ...itemJobs,
  ...transactionJobs,
  ...assetReportJobs,
  ...hostedJobs,
  ...identityVerificationJobs,
}

/** Called when a job failed permanently, to end what depends on it. Not every kind needs one. */
export const jobEndings: Partial<JobHandlers> = {
  ...assetReportEndings,
  ...hostedEndings,
}

export const jobKinds: readonly string[] = Object.keys(jobHandlers)
