import { createHash } from 'node:crypto'
import type { UpstreamSettings } from '../../../../generated/institution-list/types.ts'
import type { Client } from '../../../client/client.ts'
import { ServiceError } from '../../../client/service-error.ts'
import type { AuthorizeContext, Step } from '../../../connector/connector.ts'
import { AuthorizationFailed } from '../source-failed.ts'
import { asSource, createApi, type Secret } from './api.ts'

/** What the step before has left. */
interface Begun {
  link_token: string
  /** The Item there whose user authorizes again. */
  former?: Secret
}

const pollMs = 3000

/**
 * Sends the user to the link page of the other service, and takes the Item that they linked there. In
 * update mode they authorize the Item there again, if that service still has it.
 */
export function authorize(ctx: AuthorizeContext, previous: Step | undefined): Promise<Step> {
  const api = createApi(ctx)
  const begun = previous?.secret as Begun | undefined
  return asSource(() => (begun ? goOn(ctx, api, begun) : begin(ctx, api)))
}

async function begin(ctx: AuthorizeContext, api: Client): Promise<Step> {
  const former = ctx.former as Secret | undefined
  const again = former && (await createToken(ctx, api, former.access_token).catch(isUnknown))
  const token = again ?? (await createToken(ctx, api))
  const secret: Begun = { link_token: token.link_token, ...(again && former ? { former } : {}) }
  return { kind: 'redirect', url: token.hosted_link_url, state: ctx.redirect.state, secret }
}

/** The other service no longer has the Item: the user links a new one. */
function isUnknown(error: unknown): undefined {
  const codes = ['INVALID_ACCESS_TOKEN', 'ITEM_NOT_FOUND']
  if (error instanceof ServiceError && codes.includes(error.error_code)) return undefined
  throw error
}

async function createToken(ctx: AuthorizeContext, api: Client, access_token?: string) {
  const settings = ctx.settings as UpstreamSettings
  const { address, state } = ctx.redirect
  const back = new URL(address)
  back.searchParams.set('state', state)
  return api
    .linkTokenCreate({
      client_name: settings.client_name ?? 'Financial Data Service',
      language: (settings.language ?? 'en') as 'en',
      country_codes: settings.country_codes ?? ['US'],
      // It says nothing of the user to the other service.
      user: { client_user_id: createHash('sha256').update(state).digest('hex').slice(0, 32) },
      webhook: ctx.notify,
      hosted_link: { completion_redirect_uri: back.href },
      ...(access_token === undefined
        ? {
            products: ['transactions'],
            transactions: { days_requested: ctx.daysRequested },
            ...(settings.institution_id === undefined
              ? {}
              : { institution_id: settings.institution_id }),
          }
        : { access_token }),
    })
    .orThrow()
}

async function goOn(ctx: AuthorizeContext, api: Client, begun: Begun): Promise<Step> {
  const { link_token, former } = begun
  const { link_sessions } = await api.linkTokenGet({ link_token }).orThrow()
  const linked = link_sessions.findLast(({ results }) => results !== null)?.results
  if (!linked) {
    const last = link_sessions.at(-1)
    if (!last?.finished_at) return { kind: 'wait', pollMs, secret: begun }
    throw new AuthorizationFailed('denied', 'the user left the link page of the other service')
  }
  if (former) return finish(ctx, api, former, { notify: ctx.notify })
  const public_token = linked.item_add_results[0]?.public_token ?? ''
  const { access_token, item_id } = await api.itemPublicTokenExchange({ public_token }).orThrow()
  return finish(ctx, api, { access_token, item_id })
}

async function finish(
  { now: since }: AuthorizeContext,
  api: Client,
  { access_token, item_id }: Pick<Secret, 'access_token' | 'item_id'>,
  more: Pick<Secret, 'notify'> = {},
): Promise<Step> {
  const { item } = await api.itemGet({ access_token }).orThrow()
  const secret: Secret = { access_token, item_id, since, ...more }
  const expiresAt = item.consent_expiration_time
  return { kind: 'done', secret, ...(expiresAt ? { expiresAt } : {}) }
}
