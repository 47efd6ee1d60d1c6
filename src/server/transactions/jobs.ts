import { checkTransactions } from './check.ts'
import { pullHistorical, pullInitial } from './initialize.ts'

/** Later work on transactions. */
export const transactionJobs = {
  transactionsInitialPull: pullInitial,
  transactionsHistoricalPull: pullHistorical,
  transactionsCheck: checkTransactions,
}
