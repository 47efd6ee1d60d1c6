import type { Value } from '../kernel/database.ts'
import { readTimestamp, toTimestamp } from '../kernel/time.ts'

/** Conditions of a statement, each after an `and`, with the values that they take. */
export interface Filter {
  sql: string
  values: readonly Value[]
}

/** The conditions whose value is given. `$` stands for the value; the first one is `$<first>`. */
export function filterBy(
  first: number,
  conditions: readonly (readonly [condition: string, value: Value | undefined])[],
): Filter {
  const given = conditions.filter(([, value]) => value !== undefined)
  const texts = given.map(([condition], index) => condition.replaceAll('$', `$$${first + index}`))
  return {
    sql: texts.map((text) => ` and ${text}`).join(''),
    values: given.map(([, value]) => value as Value),
  }
}

/** A moment that a filter names. Moments are stored to the second. */
export const momentOf = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : toTimestamp(readTimestamp(text))
