import { expect } from 'vitest'
import type { IdentityVerification } from '#contract/types.ts'
import type { StepName } from '../../src/server/identity-verification/step.ts'
import { createVisitor, type Shown, type Visitor } from './link-visitor.ts'
import type { Receiver } from './receiver.ts'
import type { Tenant, TestService } from './service.ts'

type User = NonNullable<Parameters<Tenant['api']['identityVerificationCreate']>[0]['user']>

/** An attempt whose link a person can open. */
export interface Opened {
  attempt: IdentityVerification
  path: string
}

let count = 0

/** Starts a shareable attempt at a template with some steps. */
export async function startAt(
  tenant: Tenant,
  steps: StepName[],
  more: { user?: User; gave_consent?: boolean } = {},
): Promise<Opened> {
  const { template_id } = await tenant.control('sandboxIdentityVerificationTemplateCreate', {
    steps,
  })
  count += 1
  const attempt = await tenant.api
    .identityVerificationCreate({
      template_id,
      client_user_id: `person-${count}`,
      is_shareable: true,
      gave_consent: false,
      ...more,
    })
    .orThrow()
  return { attempt, path: pathOf(attempt) }
}

/** The path and the query of the link of an attempt. */
export function pathOf({ shareable_url }: Pick<IdentityVerification, 'shareable_url'>): string {
  const { pathname, search } = new URL(shareable_url ?? '')
  return pathname + search
}

/** The attempt as the client sees it. */
export async function readAttempt(
  tenant: Tenant,
  { attempt }: Pick<Opened, 'attempt'>,
): Promise<IdentityVerification> {
  const { client_user_id, template } = attempt
  const { identity_verifications } = await tenant.api
    .identityVerificationList({ template_id: template.id, client_user_id })
    .orThrow()
  const found = identity_verifications.find(({ id }) => id === attempt.id)
  if (!found) throw new Error('the attempt is gone')
  return found
}

/** Opens a link in a browser of its own. */
export async function visit(
  service: Pick<TestService, 'app'>,
  path: string,
  options?: { language?: string },
): Promise<Visitor> {
  const visitor = createVisitor(service, options)
  await visitor.open(path)
  return visitor
}

/** The name of the page that a visitor is at. */
export const pageOf = ({ path }: Pick<Shown, 'path'>): string =>
  /([^/?]+)(?:\?|$)/.exec(path)?.[1] ?? ''

/** What a person answers, by the page that asks. */
export const answersOf = (family: string): Record<string, Record<string, string>> => ({
  terms: {},
  phone: { tel: '+1 (415) 555-0142' },
  code: { 'one-time-code': '123456' },
  name: { 'given-name': 'Maren', 'family-name': family },
  birth: { 'bday-day': '23', 'bday-month': '7', 'bday-year': '1991' },
  country: { country: 'US' },
  address: {
    'address-line1': '18 Juniper Lane',
    'address-level2': 'Larkspur Falls',
    'address-level1': 'or',
    'postal-code': '97031',
  },
  number: { kind: 'us_ssn', number: '900-12-3456' },
  answers: {},
  document: { kind: 'drivers_license', country: 'US' },
  front: { sample: 'document' },
  back: { sample: 'document_back' },
  selfie: { sample: 'selfie' },
})

/** Answers page after page until one of another name, or the end. */
export async function answerAll(
  visitor: Visitor,
  answers: Record<string, Record<string, string>> = answersOf('Talvik'),
  until = '',
): Promise<string[]> {
  const seen: string[] = []
  for (let forms = 0; forms < 30; forms += 1) {
    const page = pageOf(visitor.last())
    seen.push(page)
    const fields = answers[page]
    if (!fields || page === until) return seen
    await visitor.send(fields)
  }
  throw new Error(`the pages do not end: ${seen.join(', ')}`)
}

/** What a person answers, by the page that asks. */
export type Answers = Record<string, Record<string, string>>

/** The codes of the webhooks that arrived at an address, once all were delivered. */
export async function deliveredTo(
  tenant: Tenant,
  receiver: Pick<Receiver, 'received'>,
  url: string,
): Promise<string[]> {
  const { pathname } = new URL(url)
  const arrived = () => receiver.received.filter(({ path }) => path === pathname)
  const { webhooks } = await tenant.control('sandboxWebhookList', {})
  const count = webhooks.filter((one) => one.url === url).length
  await expect.poll(() => arrived().length).toBe(count)
  return arrived().map(({ body }) => JSON.parse(body.toString()).webhook_code)
}
