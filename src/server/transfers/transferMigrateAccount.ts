import { hasFeature } from '../clients/client.ts'
import type { Context } from '../kernel/context.ts'
import { ApiError } from '../kernel/errors.ts'
import type { RequestOf, ResponseOf } from '../kernel/operation.ts'
import { insertMigratedAccount } from './store.ts'

export async function transferMigrateAccount(
  ctx: Context,
  { body }: RequestOf<'transferMigrateAccount'>,
): Promise<ResponseOf<'transferMigrateAccount'>> {
  if (!hasFeature(ctx.client, 'transfer_migrate')) {
    throw new ApiError('INVALID_INPUT.UNAUTHORIZED_ROUTE_ACCESS.400')
  }
  const access_token = ctx.newId('access_token')
  const account_id = ctx.newId('opaque')
  await insertMigratedAccount(ctx, { ...body, access_token, account_id })
  return { access_token, account_id }
}
