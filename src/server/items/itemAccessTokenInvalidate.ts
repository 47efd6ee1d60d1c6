import { ApiError } from '../kernel/errors.ts'
import type { HandlerOf } from '../kernel/operation.ts'
import { deletePublicTokens, replaceAccessToken } from './item-details-store.ts'
import { requireItem } from './store.ts'

export const itemAccessTokenInvalidate: HandlerOf<'itemAccessTokenInvalidate'> = async (
  ctx,
  { body },
) => {
  const { access_token } = body
  const { item_id } = await requireItem(ctx, access_token)
  const new_access_token = ctx.newId('access_token')
  const tokens = { old: access_token, new: new_access_token }
  // Of two concurrent calls one replaces the token. The other one finds it gone.
  if (!(await replaceAccessToken(ctx, item_id, tokens))) {
    throw new ApiError('INVALID_INPUT.INVALID_ACCESS_TOKEN.400')
  }
  await deletePublicTokens(ctx, item_id)
  return { new_access_token }
}
