/** The members of an object. */
export type Fields = Readonly<Record<string, unknown>>

/** Takes what is wrong with a value: the path of a field, and what was expected. */
export type Reject = (path: string, expected: string) => void

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isText = (value: unknown, most: number): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= most

export const isWhole = (value: unknown, least: number, most: number): boolean =>
  Number.isInteger(value) && Number(value) >= least && Number(value) <= most

/** Whether a value can be stored as JSON of at most so many characters. */
export function isJson(value: unknown, most: number): boolean {
  try {
    const text: string | undefined = JSON.stringify(value)
    return text !== undefined && text.length <= most
  } catch {
    return false
  }
}

/** Whether a text is a day such as `2026-03-16`. */
export function isDay(value: unknown): value is string {
  if (typeof value !== 'string' || !/^(19|20)\d\d-\d\d-\d\d$/.test(value)) return false
  const time = Date.parse(`${value}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value)
}
