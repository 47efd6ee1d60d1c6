import type { Account, Product } from '#contract/types.ts'
import type {
  SandboxInstitutionCreateRequest,
  SandboxPublicTokenCreateRequest,
} from '../../generated/sandbox/types.ts'
import type { Answered, Body, Tenant } from './service.ts'

/** What the institution of these tests supports. */
export const supported: Product[] = [
  'assets',
  'auth',
  'balance',
  'identity',
  'liabilities',
  'transactions',
  'transfer',
]

type Institution = Omit<SandboxInstitutionCreateRequest, 'client_id' | 'secret'>

/** An institution of the tenant's own seed data; its id. */
export async function createBank(tenant: Tenant, more: Partial<Institution> = {}): Promise<string> {
  const { institution_id } = await tenant.control('sandboxInstitutionCreate', {
    name: 'Tidewater Bank',
    products: supported,
    country_codes: ['US'],
    ...more,
  })
  return institution_id
}

type Linking = Omit<SandboxPublicTokenCreateRequest, 'client_id' | 'secret'>

export interface LinkedItem {
  access_token: string
  item_id: string
}

/** Links an Item and exchanges its token. */
export async function link(tenant: Tenant, linking: Partial<Linking> = {}): Promise<LinkedItem> {
  const { public_token } = await tenant.control('sandboxPublicTokenCreate', {
    institution_id:
      linking.institution_id === undefined ? await createBank(tenant) : linking.institution_id,
    initial_products: ['auth'],
    ...linking,
  })
  return tenant.control('itemPublicTokenExchange', { public_token })
}

/** Links an Item whose accounts are spelled out. */
export const linkCustom = (
  tenant: Tenant,
  override_accounts: readonly object[],
  linking: Partial<Linking> = {},
): Promise<LinkedItem> =>
  link(tenant, { ...linking, options: { ...linking.options, ...asCustom({ override_accounts }) } })

/** The options that describe an Item. */
export const asCustom = (user: unknown) => ({
  override_username: 'user_custom',
  override_password: typeof user === 'string' ? user : JSON.stringify(user),
})

/** The Item's accounts as they are now. */
export async function accountsOf(tenant: Tenant, access_token: string): Promise<Account[]> {
  const { data, error } = await tenant.api.accountsGet({ access_token })
  if (error) throw new Error(JSON.stringify(error))
  return data.accounts
}

/** The account of a subtype. */
export async function accountOf(
  tenant: Tenant,
  access_token: string,
  subtype: string,
): Promise<Account> {
  const accounts = await accountsOf(tenant, access_token)
  const found = accounts.find((account) => account.subtype === subtype)
  if (!found) throw new Error(`the Item has no ${subtype} account`)
  return found
}

/** The code of an error, or the status of a success. */
export const codeOf = ({ status, body }: Answered): unknown =>
  status === 200 ? 200 : body['error_code']

/** The webhooks of the tenant with a code, newest first, as they were written. */
export async function webhooksOf(tenant: Tenant, code: string): Promise<Body[]> {
  const { webhooks } = await tenant.control('sandboxWebhookList', { count: 100 })
  return webhooks
    .filter(({ webhook_code }) => webhook_code === code)
    .map(({ body }) => JSON.parse(body) as Body)
}

/** All transactions that an Item shows, once they are ready. */
export async function transactionsOf(tenant: Tenant, access_token: string) {
  await tenant.control('sandboxClockAdvance', { seconds: 1 })
  const added = []
  let cursor = ''
  for (;;) {
    const { data } = await tenant.api.transactionsSync({ access_token, cursor, count: 500 })
    added.push(...(data?.added ?? []))
    cursor = data?.next_cursor ?? ''
    if (!data?.has_more) return added
  }
}

/** An account to open. */
export const savings = {
  type: 'depository',
  subtype: 'savings',
  name: 'Holiday Savings',
} as const
