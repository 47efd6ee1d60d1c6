import type { HandlerOf } from '../kernel/operation.ts'
import { grants } from './grant-types.ts'
import { accessTokenSeconds, issueTokens } from './issue.ts'

export const oauthToken: HandlerOf<'oauthToken'> = async (ctx, { body }) => {
  const grant = await grants[body.grant_type](ctx, body)
  const { access_token, refresh_token } = await issueTokens(ctx, grant)
  const { issued_token_type } = grant
  return {
    access_token,
    refresh_token,
    token_type: 'Bearer',
    expires_in: accessTokenSeconds,
    ...(issued_token_type === undefined ? {} : { issued_token_type }),
  }
}
