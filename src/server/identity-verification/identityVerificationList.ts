import type { Context } from '../kernel/context.ts'
import { foreignCursor, readListPlace, toListCursor } from '../kernel/list-cursor.ts'
import type { HandlerOf } from '../kernel/operation.ts'
import { toIdentityVerification } from './identity-verification.ts'
import { type AttemptFilter, type AttemptPlace, listAttempts, requireTemplate } from './store.ts'

const pageSize = 20

export const identityVerificationList: HandlerOf<'identityVerificationList'> = async (
  ctx,
  { body },
) => {
  const { user_id } = body
  const filter: AttemptFilter = {
    template_id: body.template_id,
    client_user_id: body.client_user_id,
    user_id: typeof user_id === 'string' ? user_id : user_id?.user_id,
  }
  const list = listName(ctx, filter)
  const after = body.cursor == null ? beforeAll : readPlace(list, body.cursor)
  // One more than a page tells whether another page follows.
  const rows = await listAttempts(ctx, filter, after, pageSize + 1)
  // Only an empty list can have a template that does not exist.
  if (rows.length === 0) await requireTemplate(ctx, body.template_id)
  const page = rows.slice(0, pageSize)
  const last = rows.length > pageSize ? page.at(-1) : undefined
  return {
    identity_verifications: page.map((row) => toIdentityVerification(ctx, row)),
    next_cursor: last ? toListCursor(list, last.sequence, toDigits(last.created_at)) : null,
  }
}
identityVerificationList.reads = true
identityVerificationList.usuallySingle = true

const beforeAll: AttemptPlace = { created_at: '9999-12-31T23:59:59Z', sequence: 2 ** 53 - 1 }

/** A timestamp without what separates its parts, one of which separates those of a cursor. */
const toDigits = (timestamp: string): string => timestamp.replaceAll(/\D/g, '')

function readPlace(list: string, cursor: string): AttemptPlace {
  const { sequence, name } = readListPlace(list, cursor)
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(name) ?? []
  if (parts.length === 0) throw foreignCursor()
  const [year, month, day, hour, minute, second] = parts
  return { created_at: `${year}-${month}-${day}T${hour}:${minute}:${second}Z`, sequence }
}

/** A cursor belongs to its client and to what was asked for; the hash keeps it short and opaque. */
const listName = (ctx: Context, { template_id, client_user_id, user_id }: AttemptFilter): string =>
  ctx.keys.hash(
    JSON.stringify(['attempts', ctx.client.client_id, template_id, client_user_id, user_id]),
  )
