import { toHealthColumns } from '../../fixtures/insert-item.ts'
import { findInstitution } from '../../institutions/store.ts'
import { type ItemRow, lockItem, requireItem, updateItem } from '../../items/store.ts'
import type { Context } from '../../kernel/context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../../kernel/operation.ts'

export async function sandboxItemResetLogin(
  ctx: Context,
  { body }: SandboxRequestOf<'sandboxItemResetLogin'>,
): Promise<SandboxResponseOf<'sandboxItemResetLogin'>> {
  const { item_id } = await requireItem(ctx, body.access_token)
  const item = await lockItem(ctx, item_id)
  const error_code_reason = (await usesOAuth(ctx, item)) ? 'OAUTH_INVALID_TOKEN' : null
  const health = toHealthColumns({ error_code: 'ITEM_LOGIN_REQUIRED', error_code_reason })
  await updateItem(ctx, item_id, health)
  return { reset_login: true }
}

async function usesOAuth(ctx: Context, { institution_id }: ItemRow): Promise<boolean> {
  if (institution_id === null) return false
  return (await findInstitution(ctx, institution_id))?.oauth === 1
}
