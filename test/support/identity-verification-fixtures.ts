import { expect } from 'vitest'
import { findClient } from '../../src/server/clients/store.ts'
import { checkPicture } from '../../src/server/identity-verification/pictures/check-picture.ts'
import type { PictureName } from '../../src/server/identity-verification/pictures/of-attempt.ts'
import type { Picture } from '../../src/server/identity-verification/pictures/picture.ts'
import { samplePicture } from '../../src/server/identity-verification/pictures/samples.ts'
import { insertPicture } from '../../src/server/identity-verification/pictures/store.ts'
import { stepNames } from '../../src/server/identity-verification/step.ts'
import {
  insertTemplate,
  requireAttempt,
  updateAttempt,
} from '../../src/server/identity-verification/store.ts'
import type { Context } from '../../src/server/kernel/context.ts'
import { createContext } from '../../src/server/pipeline/create-context.ts'
import type { Body, Tenant, TestService } from './service.ts'

export const all = 'idvtmp_00000000000all'
export const kyc = 'idvtmp_00000000000kyc'

/** The two templates of all seed data, for a service that has none. */
export async function addTemplates({ service }: TestService): Promise<void> {
  await service.database.transaction(async (db) => {
    await insertTemplate(db, { client_id: '', template_id: all, version: 3, steps: stepNames })
    await insertTemplate(db, {
      client_id: '',
      template_id: kyc,
      steps: ['accept_tos', 'kyc_check'],
    })
  })
}

/** Does something as a handler of the tenant would. */
export async function as<Result>(
  { service }: TestService,
  { clientId }: Tenant,
  work: (ctx: Context) => Promise<Result>,
): Promise<Result> {
  return service.database.transaction(async (db) => {
    const client = (await findClient(db, clientId))!
    return work(createContext(service, db, { client, now: service.clock() }).ctx)
  })
}

export const maren = {
  email_address: 'maren.talvik@example.com',
  phone_number: '+14155550142',
  date_of_birth: '1991-07-23',
  name: { given_name: 'Maren', family_name: 'Talvik' },
  address: {
    street: '18 Juniper Lane',
    street2: 'Apt 4',
    city: 'Larkspur Falls',
    region: 'OR',
    postal_code: '97031',
    country: 'US',
  },
  id_number: { value: '900123456', type: 'us_ssn' as const },
}

type Creation = Parameters<Tenant['api']['identityVerificationCreate']>[0]

export const creation = (more: Partial<Creation> = {}): Creation => ({
  client_user_id: 'borrower-7f3a',
  template_id: all,
  is_shareable: false,
  gave_consent: true,
  ...more,
})

/** A new attempt. */
export async function start(tenant: Tenant, more: Partial<Creation> = {}) {
  const { data, error } = await tenant.api.identityVerificationCreate(creation(more))
  if (error) throw new Error(JSON.stringify(error))
  return data
}

export type Outcome =
  | 'success'
  | 'failed'
  | 'pending_review'
  | 'manually_approved'
  | 'manually_rejected'
  | 'skipped'
  | 'expired'
  | 'canceled'
export type Step = (typeof stepNames)[number]

/** Ends the attempt's steps one after the other; a pair names a step. */
export async function advance(
  tenant: Tenant,
  id: string,
  ...outcomes: (Outcome | [Step, Outcome])[]
) {
  let attempt = await tenant.control(
    'sandboxIdentityVerificationAdvance',
    toAdvance(id, outcomes[0]!),
  )
  for (const outcome of outcomes.slice(1)) {
    attempt = await tenant.control('sandboxIdentityVerificationAdvance', toAdvance(id, outcome))
  }
  return attempt
}

function toAdvance(identity_verification_id: string, ended: Outcome | [Step, Outcome]) {
  if (typeof ended === 'string') return { identity_verification_id, outcome: ended }
  const [step, outcome] = ended
  return { identity_verification_id, step, outcome }
}

/** The code and message of an error. */
export const errorOf = ({ error }: { error?: unknown }) => {
  const { error_code, error_message } = (error ?? {}) as Body
  return { error_code, error_message }
}

/** What the error of a field says. */
export const invalid = (field: string) => ({
  error_code: 'INVALID_FIELD',
  error_message: expect.stringContaining(`\`${field}\``),
})

/** A user of the tenant. */
export async function createUser(tenant: Tenant, client_user_id: string): Promise<string> {
  const { data, error } = await tenant.api.userCreate({ client_user_id })
  if (error) throw new Error(JSON.stringify(error))
  return data.user_id as string
}

/** Stores a picture of an attempt, as its page does. */
export const upload = (
  service: TestService,
  tenant: Tenant,
  id: string,
  name: PictureName,
  picture: Picture = checkPicture(samplePicture('document')) as Picture,
) =>
  as(service, tenant, async (ctx) => {
    const attempt = await insertPicture(ctx, await requireAttempt(ctx, id), name, picture)
    await updateAttempt(ctx, attempt)
  })
