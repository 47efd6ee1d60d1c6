import { webhooks } from '#contract/operations.ts'
import { errorCatalogue } from '../../../../generated/errors.ts'
import { webhooks as undatedWebhooks } from '../../../../generated/undated.ts'
import { requireItem } from '../../items/store.ts'
import { ApiError, invalidField } from '../../kernel/errors.ts'
import type { BodyOf, HandlerOf } from '../../kernel/operation.ts'
import type { WebhookName } from '../../kernel/webhook-body.ts'
import { findKey } from '../../pipeline/check-fields.ts'
import { isListenedTo } from '../../queue/listened-store.ts'
import { toFiredBody } from './fired-body.ts'
import { overrideFields } from './override-fields.ts'

type FireRequest = BodyOf<'sandboxItemFireWebhook'>

export const sandboxItemFireWebhook: HandlerOf<'sandboxItemFireWebhook'> = async (
  ctx,
  { body },
) => {
  const item = await requireItem(ctx, body.access_token)
  const name = nameOf(body)
  const isHeard = isListenedTo(ctx.client, ctx.realMs())
  if (item.webhook === null && !isHeard) throw new ApiError('SANDBOX_WEBHOOK_INVALID')
  const usual = await toFiredBody(name, { ctx, item, failure: failureOf(body) })
  const { override_fields: own } = body
  const fields = own == null ? usual : await overrideFields(name, usual, own)
  const tamper = body.tamper == null ? {} : { tamper: body.tamper }
  await ctx.emit(name, fields, { url: item.webhook, item_id: item.item_id, ...tamper })
  return { webhook_fired: true }
}

const names = Object.keys({ ...undatedWebhooks, ...webhooks }) as WebhookName[]

/** The type of a code that several have, where the request names none: an Item is named by all. */
const usualTypes: Readonly<Record<string, string>> = {
  DEFAULT_UPDATE: 'TRANSACTIONS',
  ERROR: 'ITEM',
}

/** The webhook with a code. If the code has several types, the requested type or the usual one. */
function nameOf({ webhook_code, webhook_type }: FireRequest): WebhookName {
  const ofCode = names.filter((name) => name.endsWith(`.${webhook_code}`))
  const type = webhook_type ?? usualTypes[webhook_code]
  const name = type === undefined ? ofCode[0] : ofCode.find((one) => one.startsWith(`${type}.`))
  if (!name) {
    const types = ofCode.map((one) => one.split('.')[0])
    throw invalidField(
      `\`webhook_type\` must be one of: ${types.join(', ')}, where \`webhook_code\` is ${webhook_code}`,
    )
  }
  return name
}

/** The error in the payload. If its code is ambiguous, the variant for Items. */
function failureOf({ error_code }: FireRequest): ApiError | null {
  if (error_code == null) return null
  const keys = Object.keys(errorCatalogue)
  const key = findKey(keys, `ITEM_ERROR.${error_code}`) ?? findKey(keys, error_code)
  if (!key) throw new Error(`${error_code} is not in the catalogue`)
  return new ApiError(key)
}
