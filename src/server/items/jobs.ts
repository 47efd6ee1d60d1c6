/** Later work on Items. */
export const itemJobs = {}
