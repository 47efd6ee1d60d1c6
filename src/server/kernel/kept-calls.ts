/** How many of a client's calls are stored, and for how many days. The first limit that is met counts. */
export interface KeptCalls {
  count: number
  days: number
}

export const usualKeptCalls: KeptCalls = { count: 100_000, days: 14 }
