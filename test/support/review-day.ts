import { signIn } from './dashboard-browser.ts'
import { kyc } from './identity-verification-fixtures.ts'
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
}
