import type { StagedRow } from './source-file.ts'

/** The bits of rows that have an id of the bank: in a statement, in a report of the day so far. */
const withId = { statement: 2, intraday: 8 }
const withoutId = { statement: 1, intraday: 4 }
const anyId = withId.statement | withId.intraday

/**
 * In which form an origin tells a row. A bank that tells a booking during the day may leave out its id
 * or a part of its text, which the statement then has. Two rows of one form are never one booking.
 */
export function formOf({ id }: Pick<StagedRow, 'id'>, isIntraday: boolean): number {
  const forms = id === undefined ? withoutId : withId
  return isIntraday ? forms.intraday : forms.statement
}

/** Whether a row of a form may be one that its origin has told in these forms, and no other. */
export const isOtherForm = (forms: number, form: number): boolean =>
  (forms & form) === 0 && ((forms & anyId) === 0 || (form & anyId) === 0)

/** Whether rows of these forms are never one booking. */
export const isOneForm = (forms: number): boolean => (forms & (forms - 1)) === 0

/** Whether a statement is among those that told a row. */
export const isOfStatement = (forms: number): boolean =>
  (forms & (withId.statement | withoutId.statement)) !== 0
