import type { JobHandlers } from '../kernel/job-handlers.ts'
import { checkInstitution } from './check-institution.ts'
import { pullHistorical, pullInitial } from './initialize.ts'

/** The jobs for transactions. */
export const transactionJobs: JobHandlers<
  'transactionsInitialPull' | 'transactionsHistoricalPull' | 'transactionsCheck'
> = {
  transactionsInitialPull: pullInitial,
  transactionsHistoricalPull: pullHistorical,
  transactionsCheck: checkInstitution,
}
