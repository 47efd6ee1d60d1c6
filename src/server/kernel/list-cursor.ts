import { type ApiError, invalidField } from './errors.ts'

/** Where a list goes on. */
interface ListPlace {
  sequence: number
  /** Tells those of one sequence number apart, in a list where it is not enough. */
  name: string
}

/** A cursor that continues a list after a place; it names the list, and fits no other. */
export const toListCursor = (list: string, sequence: number, name = ''): string =>
  Buffer.from([list, sequence, ...(name === '' ? [] : [name])].join(':')).toString('base64url')

/** Some lists count by time, and this is the last one that a date can have. */
const latest = 8.64e15

/** The place of a cursor of that list. The store of texts knows no U+0000. */
export function readListPlace(list: string, cursor: string): ListPlace {
  const text = Buffer.from(cursor, 'base64url').toString('utf8')
  const [own, digits = '', name = ''] = text.split(':')
  const sequence = Number(digits)
  const isSame = () => toListCursor(list, sequence, name) === cursor
  const isPossible = /^\d{1,16}$/.test(digits) && sequence <= latest && !name.includes('\0')
  if (own !== list || !isPossible || !isSame()) throw foreignCursor()
  return { sequence, name }
}

/** The sequence number of a cursor of a list where that is enough. */
export function readListCursor(list: string, cursor: string): number {
  const { sequence, name } = readListPlace(list, cursor)
  if (name !== '') throw foreignCursor()
  return sequence
}

/** The cursor that continues a list after the entry of an id. */
export const toIdCursor = (id: string): string => Buffer.from(id).toString('base64url')

/** The id that a cursor was made of; undefined when none can have given this one. */
export function fromIdCursor(cursor: string): string | undefined {
  const id = Buffer.from(cursor, 'base64url').toString('utf8')
  return /^[\w-]+$/.test(id) && toIdCursor(id) === cursor ? id : undefined
}

/** The error for a text that is no cursor of the list. */
export const foreignCursor = (): ApiError => invalidField(`\`cursor\` ${foreignCursorMessage}`)

/** Completes the name of the field. */
export const foreignCursorMessage =
  'must be the `next_cursor` of an earlier response of this list; leave it out to begin with the first page'
