import type { Context } from '../context.ts'
import { readListCursor, toListCursor } from '../list-cursor.ts'
import type { RequestOf, ResponseOf } from '../operation.ts'
import { toIdentityVerification } from './identity-verification.ts'
import { type AttemptFilter, listAttempts } from './store.ts'

const pageSize = 20

export async function identityVerificationList(
  ctx: Context,
  { body }: RequestOf<'identityVerificationList'>,
): Promise<ResponseOf<'identityVerificationList'>> {
  const { user_id } = body
  const filter: AttemptFilter = {
    template_id: body.template_id,
    client_user_id: body.client_user_id,
    user_id: typeof user_id === 'string' ? user_id : user_id?.user_id,
  }
  const list = listName(ctx, filter)
  const before = body.cursor == null ? Number.MAX_SAFE_INTEGER : readListCursor(list, body.cursor)
  // One more than a page tells whether another page follows.
  const rows = await listAttempts(ctx, filter, before, pageSize + 1)
  const page = rows.slice(0, pageSize)
  const last = rows.length > pageSize ? page.at(-1) : undefined
  return {
    identity_verifications: page.map((row) => toIdentityVerification(ctx, row)),
    next_cursor: last ? toListCursor(list, last.sequence) : null,
  }
}

/** A cursor belongs to its client and to what was asked for; the hash keeps it short and opaque. */
const listName = (ctx: Context, { template_id, client_user_id, user_id }: AttemptFilter): string =>
  ctx.keys.hash(
    JSON.stringify(['attempts', ctx.client.client_id, template_id, client_user_id, user_id]),
  )
