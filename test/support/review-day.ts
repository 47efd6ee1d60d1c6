import { providerChecks } from '../../src/server/identity-verification/provider-checks.ts'
import { requireAttempt } from '../../src/server/identity-verification/store.ts'
import { findNextCheck, listDueChecks } from '../../src/server/queue/identity-check-store.ts'
import { runCheck } from '../../src/server/worker/checks/run-check.ts'
import { signIn } from './dashboard-browser.ts'
import { advance, all, as, kyc, upload } from './identity-verification-fixtures.ts'
import type { Tenant, TestService } from './service.ts'

/** Lets a reviewer look at verifications and decide about some, as on any day. */
export async function reviewVerifications(service: TestService, client: Tenant): Promise<void> {
  const browser = await signIn(service, { client_id: client.clientId, role: 'reviewer' })
  const client_user_id = `reviewed-${Date.now()}`
  const { id } = await client.api
    .identityVerificationCreate({
      client_user_id,
      template_id: kyc,
      is_shareable: false,
      gave_consent: true,
    })
    .orThrow()
  await client.control('sandboxIdentityVerificationAdvance', {
    identity_verification_id: id,
    outcome: 'failed',
  })
  const first = await browser.ask('dashboardVerificationList', { count: 1 })
  await browser.ask('dashboardVerificationList', { cursor: first.next_cursor })
  for (const show of ['all', 'failed'] as const) {
    await browser.ask('dashboardVerificationList', { show })
    await browser.ask('dashboardVerificationList', { show, client_user_id })
  }
  await browser.ask('dashboardVerificationList', { client_user_id })
  const reason = 'The branch has compared the document with the person.'
  const look = async (identity_verification_id: string) => {
    const { revision } = await browser.ask('dashboardVerificationGet', { identity_verification_id })
    return { identity_verification_id, revision, reason }
  }
  await browser.ask('dashboardStepDecide', {
    ...(await look(id)),
    step: 'kyc_check',
    decision: 'reject',
  })
  const retry = await browser.ask('dashboardVerificationRetry', await look(id))
  await browser.ask('dashboardVerificationCancel', await look(retry.identity_verification_id))
  await lookAtPictures(service, client)
  await askProvider(service, client)
}

/** Looks at a picture that a user uploaded. */
export async function lookAtPictures(service: TestService, client: Tenant): Promise<void> {
  const { id } = await client.api
    .identityVerificationCreate({
      client_user_id: `pictured-${Date.now()}`,
      template_id: all,
      is_shareable: false,
      gave_consent: true,
    })
    .orThrow()
  await upload(service, client, id, 'original_front_1')
  const { documentary_verification } = await advance(client, id, 'success', 'success', 'success')
  const front = documentary_verification?.documents[0]?.images.original_front
  await service.fetch(new Request(String(front)))
}

/** Calls a provider that does not answer, and gives up on another check. */
export async function askProvider(service: TestService, client: Tenant): Promise<void> {
  const identityGateway = { url: 'http://127.0.0.1:9', steps: ['risk_check'], isPrivate: true }
  const production: TestService['service'] = {
    ...service.service,
    settings: { ...service.service.settings, environment: 'production', identityGateway },
  }
  const parts = {
    gateway: identityGateway,
    authorized: new Map(),
    signal: new AbortController().signal,
  }
  for (const client_user_id of [`asked-${Date.now()}`, `left-${Date.now()}`]) {
    const attempt = { template_id: all, is_shareable: false, gave_consent: true, client_user_id }
    const { id } = await client.api.identityVerificationCreate(attempt).orThrow()
    await as(service, client, async (ctx) => {
      const own = { ...ctx, settings: production.settings }
      await providerChecks(own.settings).submit(own, await requireAttempt(own, id), {
        step: 'risk_check',
      })
    })
    const due = await listDueChecks(service.service.database.single, service.service.clock(), 8)
    await findNextCheck(service.service.database.single, service.service.clock())
    const isLeft = client_user_id.startsWith('left')
    if (!isLeft) await advance(client, id, 'success', 'success', 'success', 'success', 'success')
    for (const key of due) await runCheck({ service: production, ...parts }, key)
  }
}
