import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startGateway, type TestGateway } from '../support/identity-gateway.ts'
import { errorOf } from '../support/identity-verification-fixtures.ts'
import { newTenant } from '../support/operator.ts'
import { newTemplate } from '../support/provider-attempts.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

let gateway: TestGateway
let service: TestService
let tenant: Tenant

beforeEach(async () => {
  gateway = await startGateway(() => Date.now())
  service = await startService({
    settings: {
      environment: 'production',
      reportDelayMs: 0,
      identityGateway: { url: gateway.url, steps: ['selfie_check'], isPrivate: true },
    },
  })
  tenant = await newTenant(service)
})
afterEach(async () => {
  await service.close()
  await gateway.close()
})

const rowsOf = <Row>(sql: string): Promise<Row[]> =>
  service.service.database.read((db) => db.all<Row>(sql, [tenant.clientId]))

describe('a template', () => {
  test('with a step that no provider serves cannot be used, and the error names the steps', async () => {
    const create = async (steps: readonly string[]) =>
      tenant.api.identityVerificationCreate({
        client_user_id: `user-${steps.length}`,
        template_id: await newTemplate(service, tenant, steps),
        is_shareable: false,
        gave_consent: false,
      })
    const steps = ['accept_tos', 'verify_sms', 'kyc_check', 'selfie_check', 'watchlist_screening']
    expect(errorOf(await create(steps))).toEqual({
      error_code: 'INVALID_FIELD',
      error_message:
        '`template_id` must name a template whose steps are served; no provider serves `verify_sms`, `watchlist_screening`',
    })
    const { data } = await create(['accept_tos', 'kyc_check', 'selfie_check'])
    expect(data?.status).toBe('active')
  })

  test('is made, listed and noted in the audit log', async () => {
    const id = await newTemplate(service, tenant, ['kyc_check', 'accept_tos'])
    const [row] = await rowsOf<{ steps: string; version: number }>(
      'select steps, version from identity_verification_templates where client_id = $1',
    )
    expect(row).toEqual({ steps: '["accept_tos","kyc_check"]', version: 1 })
    const audit = await rowsOf<{ action: string; subject: string; actor: string }>(
      "select action, subject, actor from audit_log where client_id = $1 and action like 'template%'",
    )
    expect(audit).toEqual([{ action: 'template.create', subject: id, actor: 'operator:test' }])
  })

  test('with an unknown step, or of another client, is rejected', async () => {
    await expect(newTemplate(service, tenant, ['kyc'])).rejects.toThrow(/steps.*accept_tos/)
    await expect(newTemplate(service, tenant, [])).rejects.toThrow(/steps/)
  })
})
