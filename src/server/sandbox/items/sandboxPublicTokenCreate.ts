import { insertItem } from '../../fixtures/insert-item.ts'
import { findInstitution } from '../../institutions/store.ts'
import type { Context } from '../../kernel/context.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../../kernel/operation.ts'
import { requireUserByToken } from '../../users/store.ts'
import { type Connection, connectionTo, withoutInstitution } from './connection.ts'
import { toHistory } from './history.ts'
import { createLinkedSpec } from './linked-spec.ts'
import { insertPublicToken } from './store.ts'

type Body = SandboxRequestOf<'sandboxPublicTokenCreate'>['body']

export async function sandboxPublicTokenCreate(
  ctx: Context,
  { body }: SandboxRequestOf<'sandboxPublicTokenCreate'>,
): Promise<SandboxResponseOf<'sandboxPublicTokenCreate'>> {
  const connection = await findConnection(ctx, body)
  rejectUnsupported(body, connection)
  const history = toHistory(body.options?.transactions, ctx.now)
  const user = body.user_token ? await requireUserByToken(ctx, body.user_token) : null
  const seed = ctx.newId('uuid')
  const { accounts, evolves } = await createLinkedSpec({
    seed,
    connection,
    history,
    options: body.options,
  })
  const { item, access_token } = await insertItem(ctx, {
    institution: connection.institution,
    webhook: body.options?.webhook ?? null,
    auth_method: connection.authMethod,
    products: body.initial_products,
    available_products: connection.supported,
    consented_products: connection.supported,
    user_id: user?.user_id ?? null,
    days_requested: history.daysRequested,
    evolution: evolves ? { seed, since: history.to } : null,
    accounts,
  })
  const public_token = ctx.newId('public_token')
  await insertPublicToken(ctx, { public_token, item_id: item.item_id, access_token })
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
  const message = '`initial_products` must name products that the institution supports'
  throw new ApiError('INVALID_FIELD', { message })
}
