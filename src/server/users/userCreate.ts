import { invalidField } from '../kernel/errors.ts'
import type { HandlerOf } from '../kernel/operation.ts'
import { insertUser } from './store.ts'
import { findUnusable, toIdentityCreationResult } from './user-identity.ts'

export const userCreate: HandlerOf<'userCreate'> = async (ctx, { body }) => {
  const { client_user_id, end_customer, consumer_report_user_identity, identity } = body
  const problem = identity ? findUnusable(identity, ctx.now) : undefined
  const user = await insertUser(ctx, {
    client_user_id,
    end_customer: end_customer ?? null,
    consumer_report_user_identity: consumer_report_user_identity ?? null,
    identity: problem === undefined ? (identity ?? null) : null,
  })
  if (!user) {
    throw invalidField('`client_user_id` must be new, and a user already exists for it')
  }
  return {
    user_token: user.user_token,
    user_id: user.user_id,
    identity_creation_result: toIdentityCreationResult(identity, problem),
  }
}
userCreate.single = true
