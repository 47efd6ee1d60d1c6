/** A moment as the interface writes it: UTC, to the second. */
export const toTimestamp = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`

/** The day of a timestamp. */
export const toDate = (timestamp: string): string => timestamp.slice(0, 10)

export const dayMs = 86_400_000

/** The date that many days later, or earlier if negative. */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)
