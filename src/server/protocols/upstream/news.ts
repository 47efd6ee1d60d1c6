import type { UpstreamSettings } from '../../../../generated/institution-list/types.ts'
import type { Notice, RevokeContext } from '../../../connector/connector.ts'
import { type KeySource, verifyWebhook, WebhookVerificationError } from '../../../webhooks/index.ts'
import { AuthorizationFailed, SourceFailed } from '../source-failed.ts'
import { createApi, type Secret } from './api.ts'
import { digestOf } from './read.ts'

/** The keys of a service are cached by what asks for them, which has to be the same each time. */
interface Source extends KeySource {
  ctx: RevokeContext
}

const sources = new Map<string, Source>()
/** As many as there are services that an operator has listed, and a few that are listed no more. */
const mostSources = 100

function sourceOf(ctx: RevokeContext): Source {
  const { url, client_id, secret } = ctx.settings as UpstreamSettings
  const name = digestOf(url, client_id, secret)
  const known = sources.get(name)
  if (known) return Object.assign(known, { ctx })
  if (sources.size >= mostSources) sources.clear()
  const source: Source = {
    ctx,
    webhookVerificationKeyGet: (body, options) =>
      createApi(source.ctx).webhookVerificationKeyGet(body, options),
  }
  sources.set(name, source)
  return source
}

/** Whether a webhook is signed by the other service, and is about the Item. */
export async function isNews(ctx: RevokeContext, { body, headers }: Notice): Promise<boolean> {
  try {
    const event = await verifyWebhook(body, headers, { client: sourceOf(ctx), now: () => ctx.now })
    const told: { webhook_type: string; webhook_code: string; item_id?: unknown } = event
    if (told.item_id !== (ctx.secret as Secret).item_id) return false
    // Each change also has a webhook for callers who do not use sync.
    return told.webhook_type !== 'TRANSACTIONS' || told.webhook_code === 'SYNC_UPDATES_AVAILABLE'
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    if (error.reason === 'key_unavailable') throw new SourceFailed('outage', 'no key')
    throw new AuthorizationFailed('rejected', `the webhook is not genuine (${error.reason})`)
  }
}
