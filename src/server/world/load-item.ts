import type { Product } from '../../../generated/2020-09-14/types.ts'
import type { WorldItem } from '../../../generated/sandbox/types.ts'
import type { Context } from '../context.ts'
import { findInstitution, type InstitutionRow } from '../institutions/store.ts'
import { generateLiability, type LiabilityKind } from '../items/liability.ts'
import { addDays, toDate } from '../time.ts'
import { startEvolution } from '../transactions/check.ts'
import { insertTransactions } from '../transactions/insert-transactions.ts'
import { planCheck } from '../transactions/check.ts'
import { pullTransactions } from '../transactions/pull.ts'
import { findUserByClientUserId } from '../users/store.ts'
import { generateItem } from './generate-item.ts'
import type { AccountSpec } from './item-spec.ts'
import { roles } from './movement.ts'
import { createRandom } from './random.ts'
import { changeAccount, toAccountHead } from './to-account-spec.ts'
import { toWorldTransaction } from './to-world-transaction.ts'
import { complete, contextOf, type WorldContext } from './world-context.ts'
import { needs } from './world-rules.ts'
import { toWorldTime } from './world-time.ts'
import { type AccountNumbers, type NewItem, writeItem } from './write-item.ts'

/** Writes an Item with its accounts and all of its story so far. */
export async function loadItem(world: WorldContext, item: WorldItem): Promise<void> {
  const ctx = contextOf(world, `item/${item.access_token}`)
  const { institution_id } = complete(item, needs.item)
  const institution =
    institution_id === null ? undefined : await findInstitution(ctx, institution_id)
  const seed = seedOf(world, item)
  const accounts = toAccounts(world, item, seed)
  const row = await writeItem(ctx, {
    ...(await toNewItem(world, ctx, item, institution)),
    seed,
    accounts: accounts.map((account) => ({
      ...account,
      numbers: numbersOf(seed, account, item, institution),
    })),
  })
  const transactions = accounts.flatMap(({ account_id, transactions: list }) =>
    list.flatMap((transaction) => (account_id ? [{ account_id, transaction }] : [])),
  )
  transactions.sort((a, b) => (a.transaction.date < b.transaction.date ? -1 : 1))
  await insertTransactions(ctx, row.item_id, transactions, { shown: false })
  await pullTransactions(ctx, row)
  if (row.evolves === 1) await startEvolution(ctx, row)
  else await planCheck(ctx, row)
}

const seedOf = ({ seed, ctx }: WorldContext, { generate, access_token }: WorldItem): string =>
  `${seed}/${ctx.client.client_id}/${generate?.seed ?? access_token}`

async function toNewItem(
  { anchor }: WorldContext,
  ctx: Context,
  item: WorldItem,
  institution: InstitutionRow | undefined,
): Promise<Omit<NewItem, 'accounts' | 'seed'>> {
  const time = (text: string | null | undefined) =>
    text == null ? null : toWorldTime(anchor, text)
  const user = item.client_user_id && (await findUserByClientUserId(ctx, item.client_user_id))
  return {
    access_token: item.access_token,
    ...(item.item_id === undefined ? {} : { item_id: item.item_id }),
    institution_id: institution?.institution_id ?? null,
    institution_name: institution?.name ?? null,
    webhook: item.webhook ?? null,
    auth_method: item.auth_method ?? null,
    update_type: item.update_type ?? 'background',
    consent_expiration_time: time(item.consent_expiration_time),
    ...productsOf(item, institution),
    health_error: item.error?.error_code ?? null,
    health_reason: item.error?.error_code_reason ?? null,
    health_products: item.error?.products ? JSON.stringify(item.error.products) : null,
    evolves: item.generate && item.generate.evolves !== false ? 1 : 0,
    user_id: user ? user.user_id : null,
    ...statusOf(item),
    removed_at: time(item.removed_at),
    created_at: time(item.created_at) ?? toWorldTime(anchor, '-14 days'),
  }
}

/** Where each product of the Item stands. */
function productsOf(item: WorldItem, institution: InstitutionRow | undefined) {
  const all: Product[] = institution ? JSON.parse(institution.products) : []
  const products = [...(item.products ?? [])].sort()
  const rest = all.filter((product) => !products.includes(product))
  return {
    products: JSON.stringify(products),
    billed_products: JSON.stringify(products.filter((product) => product !== 'balance')),
    available_products: JSON.stringify(item.available_products ?? rest),
    consented_products: JSON.stringify(
      item.consented_products ?? [...new Set([...all, ...products])].sort(),
    ),
  }
}

function statusOf(item: WorldItem) {
  const used = item.products?.includes('transactions') ? 'HISTORICAL_UPDATE_COMPLETE' : null
  const transactions_status = item.transactions_update_status ?? used
  const days_requested = transactions_status === null ? null : (item.days_requested ?? twoYears)
  return { transactions_status, days_requested }
}

const twoYears = 730

/** The generated accounts with what the file says of them, then those that it spells out. */
function toAccounts(world: WorldContext, item: WorldItem, seed: string): AccountSpec[] {
  const { anchor, ctx } = world
  const given = item.accounts ?? []
  const generated = generate(world, item, seed).map((account) => {
    const change = given.find(({ role }) => role !== undefined && role === account.role)
    const { role: _, transactions, ...head } = account
    return { ...(change ? changeAccount(head, change) : head), transactions, change }
  })
  const place = { seed, date: toDate(ctx.now), country: item.generate?.country ?? 'US' }
  const base = (kind: LiabilityKind) => generateLiability(kind, place)
  const own = given
    .filter(({ role }) => role === undefined)
    .map((change) => ({ ...toAccountHead(change, base), transactions: [], change }))
  return [...generated, ...own].map(({ change, transactions, ...account }) => ({
    ...account,
    transactions: [
      ...transactions,
      ...(change?.transactions ?? []).map((transaction) =>
        toWorldTransaction(transaction, account.balances, anchor),
      ),
    ],
  }))
}

/** The story until now: what comes after it goes on day by day. */
function generate({ ctx, anchor }: WorldContext, { generate: options }: WorldItem, seed: string) {
  if (!options) return []
  const { name, country = 'US', days = twoYears, accounts: wanted = roles } = options
  const today = toDate(ctx.now)
  const last = options.evolves === false ? anchor : today
  const since = Math.max(0, Math.round((Date.parse(last) - Date.parse(anchor)) / dayMs))
  const { accounts } = generateItem(seed, {
    anchor: last,
    country,
    days: days + since,
    linkedOn: addDays(last, 1 - days - since),
    ...(name === undefined ? {} : { name }),
  })
  return accounts.flatMap((account, index) => {
    const role = roles[index]
    return role && wanted.includes(role) ? [{ ...account, role }] : []
  })
}

const dayMs = 86_400_000

const someRouting = '011401533'

/** The numbers that the file gives, and made-up ones in place of the others. */
function numbersOf(
  seed: string,
  { account_id, type, mask }: AccountSpec,
  item: WorldItem,
  institution: InstitutionRow | undefined,
): AccountNumbers {
  if (type !== 'depository') {
    return { account_number: null, routing_number: null, wire_routing_number: null }
  }
  const given = item.accounts?.find((account) => account.account_id === account_id)
  const digits = createRandom(`${seed}/number/${account_id}`).digits(12 - (mask?.length ?? 0))
  const [routing = someRouting]: string[] = JSON.parse(institution?.routing_numbers ?? '[]')
  const routing_number = given?.routing_number ?? routing
  return {
    account_number: given?.account_number ?? `${digits}${/^\d*$/.test(mask ?? '') ? mask : ''}`,
    routing_number,
    wire_routing_number:
      given?.wire_routing_number === undefined ? routing_number : given.wire_routing_number,
  }
}
