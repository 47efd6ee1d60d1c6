import { checkInstitution } from './check.ts'
import { pullHistorical, pullInitial } from './initialize.ts'

/** Later work on transactions. */
export const transactionJobs = {
  transactionsInitialPull: pullInitial,
  transactionsHistoricalPull: pullHistorical,
  transactionsCheck: checkInstitution,
}
