import { readListPlace, toListCursor } from '../kernel/list-cursor.ts'
import { toTimestamp } from '../kernel/time.ts'

/** The place of a row in a list by time, which is the newest first. */
export interface TimePlace {
  at: string
  id: string
}

/** The cursor that continues such a list after a row. */
export const toTimeCursor = (list: string, { at, id }: TimePlace): string =>
  toListCursor(list, Date.parse(at), id)

/** The place of a cursor; without one it is before all rows. */
export function readTimeCursor(list: string, cursor: string | undefined): TimePlace {
  if (cursor === undefined) return { at: '9999', id: '' }
  const { sequence, name } = readListPlace(list, cursor)
  return { at: toTimestamp(sequence), id: name }
}
