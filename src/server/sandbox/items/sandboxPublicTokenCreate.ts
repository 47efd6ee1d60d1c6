import { findInstitution } from '../../institutions/store.ts'
import type { Context } from '../../kernel/context.ts'
import { ApiError, invalidField } from '../../kernel/errors.ts'
import type { BodyOf, HandlerOf } from '../../kernel/operation.ts'
import { requireUserByToken } from '../../users/store.ts'
import { type Connection, connectionTo, withoutInstitution } from './connection.ts'
import { toHistory } from './history.ts'
import { linkItem } from './link-item.ts'

type Body = BodyOf<'sandboxPublicTokenCreate'>

export const sandboxPublicTokenCreate: HandlerOf<'sandboxPublicTokenCreate'> = async (
  ctx,
  { body },
) => {
  const connection = await findConnection(ctx, body)
  rejectUnsupported(body, connection)
  const history = toHistory(body.options?.transactions, ctx.now)
  const user = body.user_token ? await requireUserByToken(ctx, body.user_token) : null
  const { public_token } = await linkItem(ctx, {
    connection,
    history,
    options: body.options,
    products: body.initial_products,
    webhook: body.options?.webhook ?? null,
    userId: user?.user_id ?? null,
  })
  return { public_token }
}

async function findConnection(ctx: Context, body: Body): Promise<Connection> {
  const method = body.auth_method ?? null
  if (body.institution_id === null) return withoutInstitution(method)
  const institution = await findInstitution(ctx, body.institution_id)
  if (!institution) throw new ApiError('INVALID_INSTITUTION')
  return connectionTo(institution, method, body.initial_products.includes('auth'))
}

function rejectUnsupported(body: Body, { supported }: Connection): void {
  if (body.initial_products.every((product) => supported.includes(product))) return
  throw invalidField('`initial_products` must name products that the institution supports')
}
