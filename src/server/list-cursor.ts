import { ApiError } from './errors.ts'

/** A cursor that continues a list after a sequence number; it names the list, and fits no other. */
export const toListCursor = (list: string, sequence: number): string =>
  Buffer.from(`${list}:${sequence}`).toString('base64url')

/** The sequence number of a cursor of that list. */
export function readListCursor(list: string, cursor: string): number {
  const [name, digits = ''] = Buffer.from(cursor, 'base64url').toString('utf8').split(':')
  const sequence = Number(digits)
  if (name !== list || !/^\d{1,16}$/.test(digits) || toListCursor(list, sequence) !== cursor) {
    const message = '`cursor` must be the `next_cursor` of an earlier answer of this list'
    throw new ApiError('INVALID_FIELD', { message })
  }
  return sequence
}
