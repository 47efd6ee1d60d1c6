import { webhooks as dated } from '#contract/operations.ts'
import { webhooks as platform } from '../../../../generated/platform/operations.ts'
import { invalidField } from '../../kernel/errors.ts'
import type { WebhookBodyOf, WebhookName } from '../../kernel/webhook-body.ts'

type Fields = Record<string, unknown>

/** They say which webhook it is, and where it comes from. */
const fixed: readonly string[] = ['webhook_type', 'webhook_code', 'environment']

/** The body of a webhook with fields that a test sets. It must be as the contract describes it. */
export async function overrideFields<Name extends WebhookName>(
  name: Name,
  body: WebhookBodyOf<Name>,
  text: string,
): Promise<WebhookBodyOf<Name>> {
  const own = parse(text)
  if (!own) throw invalidField('`override_fields` must be the text of a JSON object')
  const field = fixed.find((one) => Object.hasOwn(own, one))
  if (field) throw invalidField(`\`override_fields\` must not have \`${field}\``)
  const merged = merge(body as Fields, own)
  const [webhook_type, webhook_code] = name.split('.')
  const whole = { webhook_type, webhook_code, ...merged, environment: 'sandbox' }
  const [issue] = (await validatorOf(name)).issues(whole)
  if (issue) {
    throw invalidField(`\`override_fields\`: \`${issue.path || 'the payload'}\` ${issue.message}`)
  }
  return merged as WebhookBodyOf<Name>
}

function parse(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function merge(body: Fields, own: Fields): Fields {
  const changes = Object.entries(own).map(([name, value]) => {
    const before = Object.hasOwn(body, name) ? body[name] : undefined
    return [name, isObject(value) && isObject(before) ? merge(before, value) : value]
  })
  return { ...body, ...Object.fromEntries(changes) }
}

const isDated = (name: WebhookName): name is keyof typeof dated => Object.hasOwn(dated, name)

/** Loaded when it is first needed: usual webhooks are not checked where they are written. */
async function validatorOf(name: WebhookName) {
  if (isDated(name)) {
    const known = await import('#contract/validators/webhooks.js')
    return known[dated[name].schema]
  }
  const known = await import('../../../../generated/platform/validators/webhooks.js')
  return known[platform[name as keyof typeof platform].schema]
}
