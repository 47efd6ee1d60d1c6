import type {
  World,
  WorldAccount,
  WorldClient,
  WorldItem,
} from '../../../generated/sandbox/types.ts'
import { AccountKind } from '../../../generated/sandbox/validators/components.js'
import type { Settings } from '../context.ts'
import { isWholeCents } from '../money.ts'
import { wellKnownClients, wellKnownPublicKey } from '../well-known-clients.ts'
import { categoryKeys } from './categories.ts'
import { roles } from './movement.ts'
import { isWeakSecret } from './weak-secret.ts'
import { needs } from './world-needs.ts'

/** What is wrong at a path of the merged world, as far as a schema cannot say it. */
export interface Finding {
  path: string
  message: string
}

type Check<Value> = (value: Value, path: string) => Finding[]

const each = <Value>(list: readonly Value[] | undefined, path: string, check: Check<Value>) =>
  (list ?? []).flatMap((value, index) => check(value, `${path}[${index}]`))

const required = <Value extends object>(...fields: (keyof Value & string)[]): Check<Value> => {
  return (value, path) =>
    fields
      .filter((field) => value[field] === undefined)
      .map((field) => ({ path: `${path}.${field}`, message: 'is required' }))
}

/** Refuses money that would have to be rounded. */
function wholeCents<Field extends string>(
  value: { [Key in Field]?: number | null | undefined },
  path: string,
  ...fields: Field[]
): Finding[] {
  return fields
    .filter((field) => !isWholeCents(value[field] ?? 0))
    .map((field) => ({ path: `${path}.${field}`, message: 'must have at most two decimals' }))
}

/** Finds what a world that fits its schema still gets wrong. */
export function checkWorld(world: World, environment: Settings['environment']): Finding[] {
  const institutions = new Set(world.institutions?.map((one) => one.institution_id))
  const templates = new Set(world.identity_verification_templates?.map((one) => one.template_id))
  return [
    ...each(world.institutions, 'institutions', required(...needs.institution)),
    ...each(
      world.identity_verification_templates,
      'identity_verification_templates',
      required(...needs.template),
    ),
    ...twins(world.clients ?? [], 'clients', 'public_key'),
    ...each(world.clients, 'clients', (client, path) => [
      ...checkClient(client, path),
      ...checkIds(client, path),
      ...checkReferences(client, path, { institutions, templates }),
      ...checkEnvironment(client, path, environment),
      ...(environment === 'production' ? checkSecrets(client, path) : []),
    ]),
  ]
}

/** What stands at more than one element, although it has to be told apart. */
function twins<Value extends object>(
  list: readonly Value[],
  path: string,
  field: keyof Value & string,
): Finding[] {
  const seen = new Set<unknown>()
  return each(list, path, (value, at) => {
    const given = value[field]
    if (given === undefined) return []
    if (seen.has(given)) return [{ path: `${at}.${field}`, message: 'stands at another one, too' }]
    seen.add(given)
    return []
  })
}

function checkClient(client: WorldClient, path: string): Finding[] {
  return [
    ...required<WorldClient>(...needs.client)(client, path),
    ...each(client.items, `${path}.items`, checkItem),
    ...each(client.dashboard_users, `${path}.dashboard_users`, required(...needs.dashboardUser)),
    ...each(
      client.identity_verifications,
      `${path}.identity_verifications`,
      required(...needs.identityVerification),
    ),
    ...each(client.wallets, `${path}.wallets`, (wallet, at) => [
      ...required<typeof wallet>(...needs.wallet)(wallet, at),
      ...wholeCents(wallet, at, 'current', 'available'),
    ]),
    ...each(client.transfers, `${path}.transfers`, (transfer, at) => [
      ...required<typeof transfer>(...needs.transfer)(transfer, at),
      ...each(transfer.refunds, `${at}.refunds`, required(...needs.refund)),
    ]),
    ...each(client.bank_transfers, `${path}.bank_transfers`, required(...needs.bankTransfer)),
  ]
}

function checkItem(item: WorldItem, path: string): Finding[] {
  const generated = item.generate ? (item.generate.accounts ?? roles) : []
  return [
    ...required<WorldItem>(...needs.item)(item, path),
    ...each(item.accounts, `${path}.accounts`, (account, at) => [
      ...checkAccount(account, at, generated),
      ...wholeCents(account.balances ?? {}, `${at}.balances`, 'current', 'available', 'limit'),
      ...each(account.transactions, `${at}.transactions`, (transaction, place) => [
        ...required<typeof transaction>(...needs.transaction)(transaction, place),
        ...wholeCents(transaction, place, 'amount'),
        ...(transaction.category === undefined || categoryKeys.includes(transaction.category)
          ? []
          : [{ path: `${place}.category`, message: 'must be a known detailed category' }]),
      ]),
    ]),
    ...twins(item.accounts ?? [], `${path}.accounts`, 'role'),
  ]
}

function checkAccount(
  account: WorldAccount,
  path: string,
  generated: readonly string[],
): Finding[] {
  if (account.role !== undefined) {
    if (generated.includes(account.role)) return []
    return [{ path: `${path}.role`, message: 'must be one that the Item generates' }]
  }
  const { type, subtype } = account
  const missing = required<WorldAccount>(...needs.account)(account, path)
  if (missing.length > 0 || AccountKind.is({ type, subtype })) return missing
  return [{ path: `${path}.subtype`, message: `must belong to the type ${type}` }]
}

interface Named {
  id: string | undefined
  path: string
}

/** What has to name one thing only, and stands at two. */
function shared(named: readonly Named[], what: string): Finding[] {
  const seen = new Set<string>()
  return named.flatMap(({ id, path }) => {
    if (id === undefined) return []
    const isTaken = seen.has(id)
    seen.add(id)
    return isTaken ? [{ path, message: `stands at another ${what}, too` }] : []
  })
}

/** The elements of a list, each with its path. */
const placed = <Value>(list: readonly Value[] | undefined, path: string) =>
  (list ?? []).map((value, index) => ({ value, path: `${path}[${index}]` }))

function checkIds({ items, transfers, users }: WorldClient, path: string): Finding[] {
  const accounts = placed(items, `${path}.items`).flatMap((item) =>
    placed(item.value.accounts, `${item.path}.accounts`).map((account) => ({
      id: account.value.account_id,
      path: `${account.path}.account_id`,
    })),
  )
  const transactionsOf = (item: WorldItem, at: string) =>
    placed(item.accounts, `${at}.accounts`).flatMap((account) =>
      placed(account.value.transactions, `${account.path}.transactions`).map((one) => ({
        id: one.value.transaction_id,
        path: `${one.path}.transaction_id`,
      })),
    )
  const refunds = placed(transfers, `${path}.transfers`).flatMap((transfer) =>
    placed(transfer.value.refunds, `${transfer.path}.refunds`).map((refund) => ({
      id: refund.value.refund_id,
      path: `${refund.path}.refund_id`,
    })),
  )
  return [
    ...twins(items ?? [], `${path}.items`, 'item_id'),
    ...twins(users ?? [], `${path}.users`, 'user_id'),
    ...twins(users ?? [], `${path}.users`, 'user_token'),
    ...twins(transfers ?? [], `${path}.transfers`, 'authorization_id'),
    ...shared(accounts, 'account of the client'),
    ...each(items, `${path}.items`, (item, at) =>
      shared(transactionsOf(item, at), 'transaction of the Item'),
    ),
    ...shared(refunds, 'refund of the client'),
  ]
}

interface Known {
  institutions: ReadonlySet<string>
  templates: ReadonlySet<string>
}

/** What names something that is not there. */
function checkReferences(client: WorldClient, path: string, known: Known): Finding[] {
  const users = new Set(client.users?.map((user) => user.client_user_id))
  const accounts = new Set(
    (client.items ?? [])
      .flatMap((item) => item.accounts ?? [])
      .flatMap(({ account_id }) => account_id ?? []),
  )
  const refers = (
    names: ReadonlySet<string>,
    what: string,
    id: string | null | undefined,
    at: string,
  ): Finding[] =>
    id == null || names.has(id) ? [] : [{ path: at, message: `must name ${what} of the world` }]
  return [
    ...each(client.items, `${path}.items`, ({ institution_id, client_user_id }, at) => [
      ...refers(known.institutions, 'an institution', institution_id, `${at}.institution_id`),
      ...refers(users, 'a user of the client', client_user_id, `${at}.client_user_id`),
    ]),
    ...each(client.identity_verifications, `${path}.identity_verifications`, (attempt, at) =>
      refers(known.templates, 'a template', attempt.template_id, `${at}.template_id`),
    ),
    ...[...(client.transfers ?? [])].flatMap(({ account_id }, index) =>
      refers(
        accounts,
        'an account of the client',
        account_id,
        `${path}.transfers[${index}].account_id`,
      ),
    ),
    ...each(client.bank_transfers, `${path}.bank_transfers`, ({ account_id }, at) =>
      refers(accounts, 'an account of the client', account_id, `${at}.account_id`),
    ),
  ]
}

/** What everybody knows, or can guess, must open nothing in production. */
function checkSecrets(client: WorldClient, path: string): Finding[] {
  const message = 'is known to everybody and cannot be used in production'
  const weak = 'must be at least 32 random characters, such as `openssl rand -hex 32` prints'
  const secrets: readonly (string | undefined)[] = wellKnownClients.map(({ secret }) => secret)
  const isPublic = (value: string | undefined) => value !== undefined && secrets.includes(value)
  const isWeak = client.secret !== undefined && isWeakSecret(client.secret)
  return [
    ...(isPublic(client.secret) ? [{ path: `${path}.secret`, message }] : []),
    ...(isWeak && !isPublic(client.secret) ? [{ path: `${path}.secret`, message: weak }] : []),
    ...(client.public_key === wellKnownPublicKey ? [{ path: `${path}.public_key`, message }] : []),
  ]
}

/** A token names its environment in its second part. */
function checkEnvironment(
  { items, users }: WorldClient,
  path: string,
  environment: Settings['environment'],
): Finding[] {
  const message = `must be one of the environment ${environment}`
  const refuse = (token: string | undefined, at: string): Finding[] =>
    token === undefined || token.split('-')[1] === environment ? [] : [{ path: at, message }]
  return [
    ...each(items, `${path}.items`, ({ access_token }, at) =>
      refuse(access_token, `${at}.access_token`),
    ),
    ...each(users, `${path}.users`, ({ user_token }, at) => refuse(user_token, `${at}.user_token`)),
  ]
}
