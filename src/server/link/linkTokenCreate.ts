import { requireItem } from '../items/store.ts'
import { checkWebhook } from '../kernel/check-webhook.ts'
import type { HandlerOf } from '../kernel/operation.ts'
import { toTimestamp } from '../kernel/time.ts'
import { checkLinkRequest } from './check-link-request.ts'
import { toHostedLinkUrl } from './hosted-page.ts'
import { toLifetimes } from './link-token.ts'
import { insertLinkToken } from './link-token-store.ts'

/** Items have at most this many days of history. */
const mostDays = 730

export const linkTokenCreate: HandlerOf<'linkTokenCreate'> = async (ctx, { body }) => {
  checkWebhook(ctx, body.webhook)
  await checkLinkRequest(ctx, body)
  const item = body.access_token == null ? null : await requireItem(ctx, body.access_token)
  const { token, page } = toLifetimes(item !== null, body.hosted_link?.url_lifetime_seconds)
  const link_token = ctx.newId('link_token')
  const pageKey = ctx.newId('page_key')
  const expires_at = ctx.nowMs + token
  const orNull = (value: object | null | undefined) => (value ? JSON.stringify(value) : null)
  const row = {
    link_token,
    created_at: ctx.now,
    expires_at,
    page_expires_at: ctx.nowMs + page,
    client_name: body.client_name,
    language: body.language,
    country_codes: JSON.stringify([...new Set(body.country_codes)]),
    products: JSON.stringify([...new Set(body.products ?? [])]),
    optional_products: JSON.stringify([...new Set(body.optional_products ?? [])]),
    webhook: body.webhook ?? null,
    institution_id: item ? item.institution_id : (body.institution_id ?? null),
    account_filters: orNull(body.account_filters),
    days_requested: body.transactions?.days_requested ?? mostDays,
    redirect_uri: body.hosted_link?.completion_redirect_uri ?? null,
    item_id: item?.item_id ?? null,
    user_id: body.user_id ?? null,
    user_data: orNull(body.user),
    identity_verification: orNull(body.identity_verification),
  }
  await insertLinkToken(ctx, row, pageKey)
  const hosted_link_url = toHostedLinkUrl(ctx, pageKey)
  return { link_token, expiration: toTimestamp(expires_at), hosted_link_url }
}
