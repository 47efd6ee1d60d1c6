import { randomUUID } from 'node:crypto'
import { createChanges } from '../../src/server/dashboard/changes/changes.ts'
import { useProof } from '../../src/server/dashboard/session/provider-proof.ts'
import { runOperatorCommand } from '../../src/server/operator/operator-command.ts'
import {
  createLink,
  type DashboardBrowser,
  openDashboard,
  openLocally,
  signIn,
} from './dashboard-browser.ts'
import type { Tenant, TestService } from './service.ts'

/** Lets users of the dashboard sign in, look at everything, act and leave, as on any day. */
export async function lookAtDashboard(service: TestService, { clientId }: Tenant): Promise<void> {
  const client_id = clientId
  await openLocally(service)
  await openDashboard(service).ask('dashboardSessionOptionsGet', {})
  const { id, key } = await createLink(service, { client_id, role: 'admin' })
  const browser = openDashboard(service)
  await browser.ask('dashboardSessionBegin', { key })
  await browser.ask('dashboardSessionGet', {})
  await browser.ask('dashboardClientList', {})
  for (const health of ['healthy', 'unhealthy', 'removed'] as const) {
    await browser.ask('dashboardItemList', { health })
  }
  await browser.ask('dashboardItemList', { institution: 'none' })
  await browser.ask('dashboardItemList', {})
  const { items } = await browser.ask('dashboardItemList', { health: 'healthy' })
  const item_id = items[0]?.item_id ?? ''
  await browser.ask('dashboardItemFind', { text: item_id })
  const { accounts } = await browser.ask('dashboardItemGet', { item_id })
  await lookAtItem(browser, item_id, accounts[0]?.account_id ?? '')
  await browser.ask('dashboardWebhookList', { item_id })
  for (const status of ['pending', 'retrying', 'delivered', 'failed'] as const) {
    await browser.ask('dashboardWebhookList', { status })
  }
  const { webhooks } = await browser.ask('dashboardWebhookList', {})
  const webhook_id = webhooks[0]?.webhook_id ?? ''
  const { tries, body } = await browser.ask('dashboardWebhookGet', { webhook_id })
  const header = tries[0]?.signature ?? 'none'
  await browser.ask('dashboardSignatureVerify', { header, body: body ?? '' })
  await browser.ask('dashboardWebhookRedeliver', { webhook_id })
  await watchLists(service, browser)
  await lookAtData(browser)
  await useSandbox(service, browser, item_id)
  const { entries } = await browser.ask('dashboardAuditList', {})
  const { actor = 'none', action = 'none', subject } = entries[0] ?? {}
  const from = '2020-01-01T00:00:00Z'
  for (const filter of [
    { actor },
    { action },
    { subject: subject ?? 'none' },
    { from, to: from },
  ]) {
    await browser.ask('dashboardAuditList', { ...filter, from })
  }
  await browser.ask('dashboardOverviewGet', {})
  const times = { from: '2020-01-01T00:00:00Z', to: '2030-01-01T00:00:00Z' }
  const page = await browser.ask('dashboardRequestList', {
    count: 1,
    outcome: 'succeeded',
    ...times,
  })
  const { requests } = await browser.ask('dashboardRequestList', { cursor: page.next_cursor })
  await browser.ask('dashboardRequestOptionList', {})
  await browser.ask('dashboardRequestList', { operation_id: 'wallet', status_class: '4xx' })
  await browser.ask('dashboardRequestList', { request_id: 'none' })
  const request = requests.find(({ path }) => path === '/accounts/get') ?? requests[0]
  await browser.ask('dashboardRequestGet', { id: request?.request_id ?? '' })
  await browser.send('dashboardRequestResend', { id: request?.request_id ?? '' })
  await manageTeam(browser, id)
  await browser.ask('dashboardSessionEnd', {})
  for (const user of [id, (await createLink(service)).id]) {
    const asked = { actor: 'operator:test', dashboard: 'disable', id: user } as const
    await runOperatorCommand(service.service, asked, nothing())
  }
  const asked = { actor: 'operator:test', dashboard: 'list' } as const
  await runOperatorCommand(service.service, asked, nothing())
  await signInByProvider(service, client_id)
  // A link that nobody has opened yet, and a session that lasts.
  await createLink(service, { client_id })
  await signIn(service, { client_id })
}

/** Listens to the changes of the lists, and leaves. */
async function watchLists({ service, url }: TestService, { cookie }: DashboardBrowser) {
  const changes = createChanges(service)
  const headers = { host: new URL(url).host, 'sec-fetch-site': 'same-origin', cookie }
  const sender = { headers, remoteAddress: '127.0.0.1', address: '127.0.0.1' }
  const stream = await changes.open(sender, undefined)
  stream.destroy()
  changes.stop()
}

async function manageTeam(browser: DashboardBrowser, id: string): Promise<void> {
  const email_address = `${randomUUID()}@lender.example.com`
  const { user } = await browser.ask('dashboardTeamInvite', { email_address, role: 'reviewer' })
  const { user_id } = user
  await browser.ask('dashboardTeamLinkCreate', { user_id })
  await browser.ask('dashboardTeamUpdate', { user_id, role: 'developer' })
  await browser.ask('dashboardTeamList', {})
  await browser.ask('dashboardTeamUpdate', { user_id: id, role: 'admin' })
  await browser.ask('dashboardTeamSessionList', {})
  await browser.ask('dashboardTeamSessionEnd', { session_id: 'none' })
  await browser.ask('dashboardTeamSessionEnd', { user_id })
  // There is another admin, or there is none.
  await browser.send('dashboardTeamUpdate', { user_id: id, role: 'developer' })
}

async function lookAtItem(browser: DashboardBrowser, item_id: string, account_id: string) {
  await browser.ask('dashboardItemTransactionList', { item_id })
  await browser.ask('dashboardItemTransactionList', { item_id, account_id })
  await browser.ask('dashboardItemBalanceList', { item_id, account_id })
  for (const error_code of ['ITEM_LOGIN_REQUIRED', null] as const) {
    await browser.ask('dashboardItemHealthSet', { item_id, error_code })
  }
}

/** A user and an operator who sign in at an identity provider, twice. */
async function signInByProvider({ service }: TestService, client_id: string): Promise<void> {
  const users = [
    { client_id, email: `${randomUUID()}@lender.example.com` },
    { email: `${randomUUID()}@bank.example.com` },
  ]
  for (const { email, ...user } of users) {
    const asked = { actor: 'operator:test', dashboard: 'create', role: 'admin' } as const
    await runOperatorCommand(service, { ...asked, ...user, email_address: email }, nothing())
    for (const usedHash of [randomUUID(), randomUUID()]) {
      const identity = { subject: email, email }
      const proof = { identity, usedHash, endsAt: service.clock() + 600_000 }
      await service.database.transaction((db) => useProof({ service }, db, proof))
    }
  }
}

/** Looks at each list of data, by each filter, and at its first entry. */
async function lookAtData(browser: DashboardBrowser): Promise<void> {
  const { transfers } = await browser.ask('dashboardTransferList', {})
  const [transfer_id = 'none'] = transfers.map((row) => row.transfer_id)
  await browser.ask('dashboardTransferList', { status: 'settled', type: 'debit', network: 'ach' })
  await browser.ask('dashboardTransferList', { account_id: 'none' })
  await browser.send('dashboardTransferGet', { transfer_id })
  const { wallets } = await browser.ask('dashboardWalletList', {})
  await browser.ask('dashboardWalletList', { currency: 'GBP', status: 'ACTIVE' })
  await browser.send('dashboardWalletGet', { wallet_id: wallets[0]?.wallet_id ?? 'none' })
  const { reports } = await browser.ask('dashboardReportList', {})
  const [asset_report_id = 'none'] = reports.map((row) => row.asset_report_id)
  await browser.ask('dashboardReportList', { status: 'ready', user_id: 'none' })
  await browser.send('dashboardReportGet', { asset_report_id })
  const { users } = await browser.ask('dashboardEndUserList', {})
  await browser.ask('dashboardEndUserList', { client_user_id: 'none' })
  await browser.send('dashboardEndUserGet', { user_id: users[0]?.user_id ?? 'none' })
  const { institutions } = await browser.ask('dashboardInstitutionList', {})
  const asked = { name: 'bank', country_code: 'US', product: 'transactions' } as const
  await browser.ask('dashboardInstitutionList', asked)
  const [institution_id = 'none'] = institutions.map((row) => row.institution_id)
  await browser.send('dashboardInstitutionGet', { institution_id })
}

/** Uses the page Sandbox and the simulations, but moves no clock and resets nothing. */
async function useSandbox(
  service: TestService,
  browser: DashboardBrowser,
  item_id: string,
): Promise<void> {
  await browser.ask('dashboardClockGet', {})
  await browser.ask('dashboardClockAdvance', { seconds: 0 })
  const { next_cursor } = await browser.ask('dashboardUpcomingList', { count: 1 })
  await browser.ask('dashboardUpcomingList', { cursor: next_cursor })
  await browser.ask('dashboardErrorOptionList', {})
  const operation = '/wallet/list'
  const { id } = await browser.ask('dashboardErrorInject', { operation, drop: true })
  await browser.ask('dashboardErrorInject', { operation, drop: true, item_id })
  await browser.ask('dashboardInjectedErrorList', {})
  await browser.ask('dashboardErrorRemove', { id })
  await browser.ask('dashboardErrorRemove', {})
  // One that stays, since no call of this operation names an Item.
  await browser.ask('dashboardErrorInject', { operation, drop: true, item_id })
  await browser.ask('dashboardSeedDataGet', {})
  const { client_id } = await browser.ask('dashboardClientCreate', { client_name: 'Larkspur' })
  await (await openLocally(service)).ask('dashboardSecretRotate', { client_id })
  const transaction = { item_id, amount: 12.5, description: 'Corner bakery' }
  await browser.send('dashboardTransactionCreate', transaction)
  await simulate(browser)
}

/** Each simulation, of the first object that there is. */
async function simulate(browser: DashboardBrowser): Promise<void> {
  const { transfers } = await browser.ask('dashboardTransferList', { type: 'debit' })
  for (const { transfer_id } of transfers.slice(0, 3)) {
    await browser.send('dashboardTransferSimulate', { transfer_id, event_type: 'posted' })
    await browser.send('dashboardSweepSimulate', { transfer_id, sweep_status: 'swept' })
    const { body } = await browser.send('dashboardRefundCreate', { transfer_id, amount: '0.01' })
    const refund_id = String(body['refund_id'])
    await browser.send('dashboardRefundSimulate', { refund_id, event_type: 'failed' })
  }
  const page = await browser.ask('dashboardBankTransferList', { count: 1 })
  await browser.ask('dashboardBankTransferList', { cursor: page.next_cursor })
  const [bank_transfer_id = 'none'] = page.bank_transfers.map((row) => row.bank_transfer_id)
  const reversed = { bank_transfer_id, event_type: 'reversed' }
  await browser.send('dashboardBankTransferSimulate', reversed)
  const { wallets } = await browser.ask('dashboardWalletList', {})
  const wallet_id = wallets[0]?.wallet_id ?? 'none'
  await browser.send('dashboardWalletSimulate', { wallet_id, status: 'ACTIVE' })
  await browser.send('dashboardWalletTransactionCreate', { wallet_id, amount: 1 })
  const { verifications } = await browser.ask('dashboardVerificationList', { show: 'active' })
  const identity_verification_id = verifications[0]?.id ?? 'none'
  const found = await browser.send('dashboardVerificationGet', { identity_verification_id })
  const revision = Number(found.body['revision'] ?? 0)
  const advanced = { identity_verification_id, revision, outcome: 'skipped' }
  await browser.send('dashboardVerificationAdvance', advanced)
}

async function* nothing() {}
