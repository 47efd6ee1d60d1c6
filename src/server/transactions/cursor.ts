import { type ApiError, invalidField } from '../kernel/errors.ts'
import type { Keys } from '../kernel/keys.ts'

/** The stream that a client reads: an Item, or one of its accounts. */
export interface Stream {
  item_id: string
  account_id: string | null
}

/** The position of a client in a stream. */
export interface Position {
  /** The client has stored all changes up to this number. */
  base: number
  /** Within an update of several pages: the position reached, and the end of the update. */
  page: { after: number; high: number } | null
}

const edition = 1
const sealLength = 22

/** Cursors are authenticated, so their content needs no further checks. */
function toSeal(keys: Keys, stream: Stream, content: string): string {
  const sealed = JSON.stringify(['sync cursor', stream.item_id, stream.account_id, content])
  return keys.hash(sealed).slice(0, sealLength)
}

/** Creates a cursor that is valid only for its stream. */
export function toCursor(keys: Keys, stream: Stream, { base, page }: Position): string {
  const content = [edition, base, ...(page ? [page.after, page.high] : [])].join('.')
  return Buffer.from(`${content}.${toSeal(keys, stream, content)}`).toString('base64url')
}

const form = /^(1\.(\d{1,15})(?:\.(\d{1,15})\.(\d{1,15}))?)\.[\w-]{22}$/

/** The position of a cursor of that stream. */
export function readCursor(keys: Keys, stream: Stream, cursor: string): Position {
  const [, content, base, after, high] =
    form.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  if (content === undefined) throw foreignCursor()
  const page =
    after === undefined || high === undefined ? null : { after: Number(after), high: Number(high) }
  const position = { base: Number(base), page }
  // Each position has exactly one valid cursor. The comparison also checks the authentication code.
  if (toCursor(keys, stream, position) !== cursor) throw foreignCursor()
  return position
}

/** The error for a cursor of another stream. */
export const foreignCursor = (): ApiError =>
  invalidField(
    '`cursor` must be a `next_cursor` of this access token with the same `account_id`; leave it out to begin with the first change',
  )
