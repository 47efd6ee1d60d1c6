import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../../generated/dashboard/operations.ts'
import { readyAccessToken } from '../../src/server/clients/well-known-clients.ts'
import type { PageOperationId } from '../../src/server/dashboard/page-handler.ts'
import { type DashboardBrowser, signIn } from '../support/dashboard-browser.ts'
import { startWorld } from '../support/service.ts'

// The lists of data where people are real: who sees what, and what of it is recorded.

type World = Awaited<ReturnType<typeof startWorld>>
type User = DashboardBrowser & { id: string }

const lists = {
  dashboardReportList: { rows: 'reports', id: 'asset_report_id', get: 'dashboardReportGet' },
  dashboardWalletList: { rows: 'wallets', id: 'wallet_id', get: 'dashboardWalletGet' },
  dashboardTransferList: { rows: 'transfers', id: 'transfer_id', get: 'dashboardTransferGet' },
  dashboardEndUserList: { rows: 'users', id: 'user_id', get: 'dashboardEndUserGet' },
  dashboardInstitutionList: {
    rows: 'institutions',
    id: 'institution_id',
    get: 'dashboardInstitutionGet',
  },
} as const
const names = Object.keys(lists) as (keyof typeof lists)[]

/** What the answer of a detail has of a person, and what the audit log calls a look at it. */
const personal = {
  dashboardReportList: { action: 'report.view', of: ['subject', 'name'] },
  dashboardWalletList: { action: 'wallet.view', of: ['numbers', 'iban'] },
  dashboardTransferList: { action: 'transfer.view', of: ['legal_name'] },
  dashboardEndUserList: { action: 'end-user.view', of: ['identity'] },
} as const
const personalNames = Object.keys(personal) as (keyof typeof personal)[]

let world: World
let users: Record<'admin' | 'developer' | 'reviewer', User>
beforeAll(async () => {
  world = await startWorld({ settings: { environment: 'production', reportDelayMs: 0 } })
  const { clientId: client_id } = world.client
  users = {
    admin: await signIn(world, { client_id, role: 'admin' }),
    developer: await signIn(world, { client_id, role: 'developer' }),
    reviewer: await signIn(world, { client_id, role: 'reviewer' }),
  }
  await world.client.api
    .assetReportCreate({
      access_tokens: [readyAccessToken],
      days_requested: 10,
      options: { user: { first_name: 'Ada' } },
    })
    .orThrow()
  const identity = { name: { given_name: 'Ada', family_name: 'Prewitt' } }
  await world.client.api.userCreate({ client_user_id: 'ada', identity }).orThrow()
})
afterAll(() => world.close())

/** The first rows of a list, as an admin sees them. */
async function idsOf(name: keyof typeof lists): Promise<string[]> {
  const { status, body } = await users.admin.send(name, {})
  expect(status).toBe(200)
  const rows = body[lists[name].rows] as Record<string, string>[]
  return rows.map((row) => row[lists[name].id] ?? '')
}

/** The first object of a list that has something of a person. */
async function findPersonal(name: keyof typeof personal): Promise<string> {
  for (const id of await idsOf(name)) {
    const { body } = await users.admin.send(lists[name].get, { [lists[name].id]: id })
    if (personalIn(name, body) !== null) return id
  }
  throw new Error(`nothing in ${name} is about a person`)
}

const personalIn = (name: keyof typeof personal, body: Record<string, unknown>): unknown =>
  personal[name].of.reduce<unknown>(
    (value, field) => (value as Record<string, unknown> | null)?.[field] ?? null,
    body,
  )

describe('in production', () => {
  test.each(names)('%s and its details can be reached', async (name) => {
    const [id = ''] = await idsOf(name)
    const shown = await users.developer.send(lists[name].get, { [lists[name].id]: id })
    expect([id === '', shown.status]).toEqual([false, 200])
  })

  test.each(names)('%s is for the roles of its page', async (name) => {
    const { status } = await users.reviewer.send(name, {})
    expect(status).toBe(name === 'dashboardEndUserList' ? 200 : 403)
  })

  test.each(personalNames)('a developer gets nothing of a person by %s', async (name) => {
    const id = await findPersonal(name)
    const shown = await users.developer.send(lists[name].get, { [lists[name].id]: id })
    expect(personalIn(name, shown.body)).toBeNull()
    const { entries } = await users.admin.ask('dashboardAuditList', {
      action: personal[name].action,
      actor: `dashboard:${users.developer.id}`,
    })
    expect(entries).toEqual([])
  })

  test.each(personalNames)('a look of an admin by %s is recorded', async (name) => {
    const id = await findPersonal(name)
    const { entries } = await users.admin.ask('dashboardAuditList', {
      action: personal[name].action,
      actor: `dashboard:${users.admin.id}`,
      subject: id,
    })
    expect(entries).toHaveLength(1)
  })

  test('nothing of the sandbox can be reached, by any role', async () => {
    const ofSandbox = ['dashboard-sandbox', 'dashboard-secrets', 'dashboard-simulations']
    const ids = (Object.keys(operations) as PageOperationId[]).filter((id) =>
      ofSandbox.includes(operations[id].tag),
    )
    expect(ids.length).toBeGreaterThan(5)
    const statuses = []
    for (const id of ids) {
      for (const user of Object.values(users)) statuses.push((await user.send(id, {})).status)
    }
    expect(new Set(statuses)).toEqual(new Set([404]))
  })
})
