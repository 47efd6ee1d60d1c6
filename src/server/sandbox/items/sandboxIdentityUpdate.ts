import { toOwner } from '../../items/owners.ts'
import { lockItem, requireAccount, requireItem, updateAccount } from '../../items/store.ts'
import type { Context } from '../../kernel/context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../../kernel/operation.ts'

export async function sandboxIdentityUpdate(
  ctx: Context,
  { body }: SandboxRequestOf<'sandboxIdentityUpdate'>,
): Promise<SandboxResponseOf<'sandboxIdentityUpdate'>> {
  const { item_id } = await requireItem(ctx, body.access_token)
  await lockItem(ctx, item_id)
  const account = await requireAccount(ctx, item_id, body.account_id)
  const pending_owners = JSON.stringify(body.owners.map(toOwner))
  await updateAccount(ctx, account, { pending_owners })
  return {}
}
