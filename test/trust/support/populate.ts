import {
  eachExample,
  eachOperation,
  readBundle,
  written,
} from '../../../scripts/contract/contract.ts'
import type { Body, Tenant } from '../../support/service.ts'
import { at, kindOf, type NamingField, namesIn, namingFields, put } from './identifiers.ts'

/** A call that succeeded, and so what is to be put into it for others. */
export interface Call {
  path: string
  body: Body
  answer: Body
}

/** A tenant with something of every kind. */
export interface Inhabitant {
  tenant: Tenant
  name: string
  /** Everything that its answers named, by kind. */
  names: Map<string, Set<string>>
  /** Its last success of each operation. */
  calls: Map<string, Call>
}

const contracts = written.map((name) => readBundle(name))
const examples = contracts.flatMap((contract) => {
  const paths = new Map(
    eachOperation(contract).map(({ path, operation }) => [operation.operationId, path]),
  )
  return eachExample(contract).flatMap(({ place, mediaType, value, operationId = '' }) =>
    place.endsWith(' request') && mediaType === 'application/json'
      ? [{ path: paths.get(operationId) ?? '', body: value as Body }]
      : [],
  )
})

/** The contract's first example of a request. */
export const exampleOf = (path: string): Body =>
  (examples.find((one) => one.path === path)?.body ?? {}) as Body

const fields = Map.groupBy(namingFields(), ({ path }) => path)

/** The last value of a kind that a tenant was given. */
export const lastOf = ({ names }: Inhabitant, kind: string): string | undefined =>
  [...(names.get(kind) ?? [])].at(-1)

/** An example with what is the tenant's own in the place of what it names. */
export function ownBody(inhabitant: Inhabitant, path: string, more: Body = {}): Body {
  let body: unknown = exampleOf(path)
  for (const { keys, name } of fields.get(path) ?? ([] as NamingField[])) {
    const value = lastOf(inhabitant, kindOf(name))
    const isGiven = at(body, keys) !== undefined
    if (isGiven && value !== undefined) body = put(body, keys, value)
  }
  return { ...(body as Body), ...more }
}

/** Fills a new tenant, by all operations and sandbox endpoints that give or take a name. */
export async function populate(tenant: Tenant, name: string): Promise<Inhabitant> {
  const inhabitant: Inhabitant = { tenant, name, names: new Map(), calls: new Map() }
  const call = async (path: string, more: Body = {}, whole?: Body): Promise<Body> => {
    const body = whole ?? ownBody(inhabitant, path, more)
    const { status, body: answer } = await tenant.post(path, body)
    if (status !== 200) throw new Error(`${name}: ${path}: ${JSON.stringify([body, answer])}`)
    inhabitant.calls.set(path, { path, body, answer })
    for (const [kind, values] of namesIn(answer, path)) {
      const known = inhabitant.names.get(kind) ?? new Set()
      for (const value of values) known.delete(value)
      inhabitant.names.set(kind, new Set([...known, ...values]))
    }
    return answer
  }
  const client_user_id = `user-of-${name}`
  inhabitant.names.set('client_user_id', new Set([client_user_id]))
  await call('/user/create', { client_user_id })
  await tokens(call)
  await items(call, inhabitant)
  await identities(call, client_user_id)
  await money(call, inhabitant)
  await reports(call)
  await linkTokens(call, client_user_id)
  await webhooks(call)
  await ownKinds(call)
  inhabitant.names.set('originator_client_id', new Set([tenant.clientId]))
  return inhabitant
}

type Post = (path: string, more?: Body, whole?: Body) => Promise<Body>

async function tokens(call: Post): Promise<void> {
  const issued = await call('/oauth/token')
  await call(
    '/oauth/token',
    {},
    {
      grant_type: 'refresh_token',
      refresh_token: issued['refresh_token'],
    },
  )
}

const hooks = 'http://127.0.0.1:9/hooks'

const one = (day: string): Body => ({
  amount: 4.75,
  date_posted: day,
  date_transacted: day,
  description: 'KETTLE & FERN',
  pending: true,
})

async function items(call: Post, inhabitant: Inhabitant): Promise<void> {
  const link = { options: { webhook: hooks, transactions: { days_requested: 30 } } }
  await call('/sandbox/public_token/create', link)
  await call('/item/public_token/exchange')
  // A second public token, which stays unused.
  await call('/sandbox/public_token/create', link)
  const accounts = (await call('/accounts/get'))['accounts'] as {
    account_id: string
    type: string
  }[]
  const checking = accounts.find(({ type }) => type === 'depository')?.account_id ?? ''
  // The last one is what examples get.
  const keepChecking = () => {
    const known = inhabitant.names.get('account_id') as Set<string>
    known.delete(checking)
    known.add(checking)
  }
  for (const path of ['/identity/get', '/identity/refresh', '/liabilities/get']) await call(path)
  keepChecking()
  const end_date = '2026-03-16'
  await call('/transactions/get', { start_date: '2026-02-20', end_date })
  await call('/transactions/sync', { cursor: '', count: 2 })
  await call('/transactions/sync', { count: 2 })
  await call('/transactions/refresh')
  keepChecking()
  await call('/sandbox/item/set_verification_status')
  await call('/sandbox/identity/update')
  await call('/sandbox/transactions/create', { transactions: [one('2026-03-15')] })
  await call('/sandbox/transactions/update', { date_posted: '2026-03-16' })
  await call('/sandbox/account/update', { liability: undefined, balances: { current: 20 } })
  await call('/sandbox/account/create')
  keepChecking()
}

async function identities(call: Post, client_user_id: string): Promise<void> {
  await call('/identity_verification/create', { client_user_id })
  await call('/sandbox/identity_verification/advance')
  // More than a page of each, so that there is a cursor.
  for (let count = 0; count < 21; count += 1) {
    const email_address = `reviewer-${count}@lender.example.com`
    await call('/sandbox/dashboard_user/create', { email_address })
    await call('/sandbox/identity_verification/retry', { client_user_id })
  }
  await call('/dashboard_user/list')
  await call('/identity_verification/list', { client_user_id })
}

async function money(call: Post, inhabitant: Inhabitant): Promise<void> {
  await call('/wallet/create')
  await call('/wallet/create')
  await call('/wallet/list', { count: 1 })
  await call('/wallet/get')
  await call('/sandbox/wallet/simulate')
  await call('/sandbox/wallet/transaction/create', { amount: 5 })
  const kept = inhabitant.names.get('account_id') as Set<string>
  await call('/sandbox/transfer/create', { access_token: undefined, account_id: [...kept].at(-1) })
  await call('/transfer/get')
  await call('/sandbox/transfer/simulate')
  await call('/sandbox/transfer/simulate', { event_type: 'settled' })
  await call('/sandbox/transfer/sweep/simulate')
  await call('/sandbox/transfer/refund/create', { amount: '1.00' })
  await call('/sandbox/transfer/refund/simulate', {
    event_type: 'posted',
    failure_reason: undefined,
  })
  await call('/sandbox/bank_transfer/create')
  await call('/sandbox/bank_transfer/simulate', { event_type: 'posted', failure_reason: undefined })
  await call('/bank_transfer/event/sync')
}

async function linkTokens(call: Post, client_user_id: string): Promise<void> {
  const request = {
    client_name: 'Larkspur Lending',
    language: 'en',
    country_codes: ['US'],
    user: { client_user_id },
    products: ['transactions'],
  }
  const { link_token } = await call('/link/token/create', {}, request)
  await call('/sandbox/link/session/finish', {}, { link_token, status: 'EXITED' })
  await call('/link/token/get')
}

async function reports(call: Post): Promise<void> {
  await call('/asset_report/create')
  await call('/sandbox/clock/advance', { seconds: 60 })
  const { report } = await call('/asset_report/get', { include_insights: false })
  const [item] = (report as { items: { accounts: { account_id: string }[] }[] }).items
  const account_ids_to_exclude = [item?.accounts[0]?.account_id ?? '']
  await call('/asset_report/filter', { account_ids_to_exclude })
}

/** What stands beside that of the default seed data, whose ids everybody has. */
async function ownKinds(call: Post): Promise<void> {
  await call('/sandbox/identity_verification_template/create', { template_id: undefined })
  await call('/sandbox/institution/create', { institution_id: undefined })
}

async function webhooks(call: Post): Promise<void> {
  await call('/sandbox/webhook/rotate_key')
  await call('/webhook_verification_key/get')
  await call('/sandbox/webhook/list', { count: 1 })
  await call('/sandbox/webhook/redeliver')
  await call('/sandbox/request/list', { count: 1 })
  await call('/protect/event/send')
  await call('/transfer/migrate_account')
}
