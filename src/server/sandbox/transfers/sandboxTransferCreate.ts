import { requireItem } from '../../items/store.ts'
import { ApiError, invalidField } from '../../kernel/errors.ts'
import type { HandlerOf } from '../../kernel/operation.ts'
import { lacksWireRouting } from '../../transfers/migrated-account-store.ts'
import { toNewTransfer } from '../../transfers/new-transfer.ts'
import { requireOpenAccount } from '../../transfers/open-account.ts'
import { requireOriginator } from '../../transfers/originator.ts'
import { insertTransfer } from '../../transfers/store.ts'
import { toTransfer } from '../../transfers/transfer.ts'

export const sandboxTransferCreate: HandlerOf<'sandboxTransferCreate'> = async (ctx, { body }) => {
  const item = body.access_token && (await requireItem(ctx, body.access_token))
  const account = await requireOpenAccount(ctx, body.account_id)
  if (item && item.item_id !== account.item_id) {
    const message = '`account_id` must be the id of an account of the Item of `access_token`'
    throw new ApiError('INVALID_ACCOUNT_ID', { message })
  }
  if (body.originator_client_id !== undefined) {
    await requireOriginator(ctx, body.originator_client_id)
  }
  if (body.network === 'wire' && (await lacksWireRouting(ctx, account.account_id))) {
    throw invalidField('`network` cannot be `wire`: the account has no routing number for wires')
  }
  const row = await insertTransfer(ctx, toNewTransfer(body, ctx.client.client_id, ctx.now))
  return { transfer: toTransfer(row, [], ctx.now) }
}
