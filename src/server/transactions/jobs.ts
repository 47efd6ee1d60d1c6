/** Later work on transactions. */
export const transactionJobs = {}
