import type { DashboardBrowser } from './dashboard-browser.ts'
import { advance, maren, start } from './identity-verification-fixtures.ts'
import type { Tenant } from './service.ts'

export const reason = 'The branch has compared the document with the person.'

let users = 0
/** An attempt that failed at its document, after the records did not know the user. */
export async function failedAttempt(tenant: Tenant): Promise<string> {
  users += 1
  const { id } = await start(tenant, { client_user_id: `borrower-${users}`, user: maren })
  await advance(tenant, id, 'success', 'failed', 'failed')
  return id
}

export const look = (browser: DashboardBrowser, identity_verification_id: string) =>
  browser.ask('dashboardVerificationGet', { identity_verification_id })

/** The decision of somebody who has just looked at the attempt. */
export async function decision(browser: DashboardBrowser, id: string, more: object = {}) {
  const { revision } = await look(browser, id)
  const step = 'documentary_verification' as const
  const decided = 'approve' as const
  return { identity_verification_id: id, revision, step, decision: decided, reason, ...more }
}

export async function rejection(send: ReturnType<DashboardBrowser['send']>) {
  const { status, body } = await send
  return { status, code: body['error_code'], message: body['error_message'] }
}
