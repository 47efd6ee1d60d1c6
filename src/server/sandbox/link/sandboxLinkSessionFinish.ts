import { findClientWebhook } from '../../clients/store.ts'
import { findInstitution } from '../../institutions/store.ts'
import { toHealthKey } from '../../items/item.ts'
import { lockItem } from '../../items/store.ts'
import type { Context } from '../../kernel/context.ts'
import { invalidField } from '../../kernel/errors.ts'
import type { BodyOf, HandlerOf } from '../../kernel/operation.ts'
import { finishLinkSession } from '../../link/finish-link-session.ts'
import { type LinkTokenRow, requireLinkToken } from '../../link/link-token-store.ts'
import { changeHealth } from '../items/change-health.ts'
import { linkByToken } from './link-by-token.ts'

type Body = BodyOf<'sandboxLinkSessionFinish'>

export const sandboxLinkSessionFinish: HandlerOf<'sandboxLinkSessionFinish'> = async (
  ctx,
  { body },
) => {
  const token = await requireLinkToken(ctx, body.link_token)
  const institutionId = institutionOf(body, token)
  const webhook = token.webhook ?? (await findClientWebhook(ctx))
  const isSuccess = body.status === 'SUCCESS'
  const added =
    isSuccess && isNewItem(token) ? await linkByToken(ctx, token, { institutionId, webhook }) : []
  if (isSuccess && token.item_id !== null) {
    await changeHealth(ctx, await lockItem(ctx, token.item_id), null)
  }
  return finishLinkSession(ctx, {
    token,
    webhook,
    status: body.status,
    institution: await nameOf(ctx, institutionId),
    exit_error: body.error_code === undefined ? null : toHealthKey(body.error_code),
    item_add_results: added,
  })
}

const isNewItem = ({ item_id, products }: LinkTokenRow): boolean =>
  item_id === null && !(JSON.parse(products) as string[]).includes('identity_verification')

/** The institution that the user chose. */
function institutionOf({ institution_id }: Body, token: LinkTokenRow): string | null {
  if (institution_id === undefined || token.institution_id === null) {
    return institution_id ?? token.institution_id
  }
  if (institution_id === token.institution_id) return institution_id
  throw invalidField('`institution_id` must be that of the link token, or be left out')
}

async function nameOf(ctx: Context, institutionId: string | null) {
  const row = institutionId === null ? undefined : await findInstitution(ctx, institutionId)
  return row ? { institution_id: row.institution_id, name: row.name } : null
}
