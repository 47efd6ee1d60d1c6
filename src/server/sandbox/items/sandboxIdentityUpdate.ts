import { requireAccount, updateAccount } from '../../items/account-store.ts'
import { toOwner } from '../../items/owners.ts'
import { lockItemOf } from '../../items/store.ts'
import type { HandlerOf } from '../../kernel/operation.ts'

export const sandboxIdentityUpdate: HandlerOf<'sandboxIdentityUpdate'> = async (ctx, { body }) => {
  const { item_id } = await lockItemOf(ctx, body.access_token)
  const account = await requireAccount(ctx, item_id, body.account_id)
  const pending_owners = JSON.stringify(body.owners.map(toOwner))
  await updateAccount(ctx, account, { pending_owners })
  return {}
}
