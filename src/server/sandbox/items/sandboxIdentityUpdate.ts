import { lockAccountOf, updateAccount } from '../../items/account-store.ts'
import { toOwner } from '../../items/owners.ts'
import type { HandlerOf } from '../../kernel/operation.ts'

export const sandboxIdentityUpdate: HandlerOf<'sandboxIdentityUpdate'> = async (ctx, { body }) => {
  const account = await lockAccountOf(ctx, body)
  const pending_owners = JSON.stringify(body.owners.map(toOwner))
  await updateAccount(ctx, account, { pending_owners })
  return {}
}
