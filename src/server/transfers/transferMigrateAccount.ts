import { hasFeature } from '../clients/client.ts'
import { ApiError } from '../kernel/errors.ts'
import type { HandlerOf } from '../kernel/operation.ts'
import { requireProvider } from '../kernel/require-provider.ts'
import { insertMigratedAccount } from './migrated-account-store.ts'

export const transferMigrateAccount: HandlerOf<'transferMigrateAccount'> = async (
  ctx,
  { body },
) => {
  requireProvider(ctx)
  if (!hasFeature(ctx.client, 'transfer_migrate')) {
    throw new ApiError('INVALID_INPUT.UNAUTHORIZED_ROUTE_ACCESS.400')
  }
  const access_token = ctx.newId('access_token')
  const account_id = ctx.newId('opaque')
  await insertMigratedAccount(ctx, { ...body, access_token, account_id })
  return { access_token, account_id }
}
