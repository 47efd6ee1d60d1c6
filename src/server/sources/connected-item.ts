import type { SourceAccount, SourceBalance } from '../../statements/statement.ts'
import { listAccounts } from '../items/account-store.ts'
import { healthOf } from '../items/change-health.ts'
import { planExpirationNotice } from '../items/pending-expiration.ts'
import { type ItemRow, lockItem, updateItem } from '../items/store.ts'
import type { Context } from '../kernel/context.ts'
import type { Protocol } from '../protocols/protocol.ts'
import { findPull, insertPull, reauthorizePull } from '../queue/pull-store.ts'
import { changeSourceHealth } from './change-health.ts'
import { commitStatement } from './commit-statement.ts'
import type { ChosenAccount, LinkedItem, LinkOrder } from './connector.ts'
import { type HiddenAccount, readHidden, withoutShown } from './hidden-accounts.ts'
import { openStatement } from './pulled-statements.ts'
import { findAccountOf } from './source-account.ts'
import { makeItem } from './source-item.ts'
import { sealSecret } from './source-secret.ts'

/** What a user has authorized at a source that the service reads by itself. */
export interface Authorization {
  connector: Protocol
  /** What the source lets the service in with. JSON. */
  secret: unknown
  /** The times of the calls that were made since, in real ms. */
  calls: readonly number[]
  /** The token of the address to which the source sends webhooks. */
  notify: string | undefined
  /** What the source told of its accounts, by the id of the page. */
  told: readonly ToldAccount[]
}

/** An account of the source with its balances. */
export interface ToldAccount {
  id: string
  account: SourceAccount
  balances: readonly SourceBalance[]
}

/** Links an Item, or repairs the one of update mode. Its first read is due at once. */
export async function linkConnected(
  ctx: Context,
  order: LinkOrder,
  authorization: Authorization,
): Promise<LinkedItem> {
  const { itemId } = order
  return itemId === null
    ? linkNew(ctx, order, authorization)
    : repairItem(ctx, itemId, order, authorization)
}

async function linkNew(
  ctx: Context,
  order: LinkOrder,
  authorization: Authorization,
): Promise<LinkedItem> {
  const { daysRequested, expiresAt, accounts } = order
  const { connector, secret } = authorization
  const made = await makeItem(
    ctx,
    order,
    {
      update_type: 'background',
      consent_expiration_time: expiresAt,
      // The first read brings the latest days, and later ones the history before them.
      transactions_status: 'NOT_READY',
      days_requested: daysRequested,
    },
    connector.id,
  )
  const { item } = made
  const { item_id } = item
  const hidden = await putAccounts(ctx, item, authorization, { accounts, hidden: [] })
  await insertPull(ctx, {
    item_id,
    connector: connector.id,
    secret: sealSecret(ctx.keys, secret),
    hidden: JSON.stringify(hidden),
    due_at: toRealMs(ctx),
    calls: JSON.stringify(authorization.calls),
    notify_hash: toNotifyHash(ctx, authorization),
  })
  await planExpirationNotice(ctx, item)
  ctx.beginDueWork()
  return { ...made, accounts: await listAccounts(ctx, item_id) }
}

/** The Item keeps its id, its access token, its accounts and its transactions. */
async function repairItem(
  ctx: Context,
  itemId: string,
  { expiresAt, accounts }: LinkOrder,
  authorization: Authorization,
): Promise<LinkedItem> {
  const item = await lockItem(ctx, itemId)
  const pull = await findPull(ctx, itemId)
  const before = pull ? readHidden(pull.hidden) : []
  const hidden = await putAccounts(ctx, item, authorization, { accounts, hidden: before })
  await reauthorizePull(ctx, itemId, {
    secret: sealSecret(ctx.keys, authorization.secret),
    hidden: JSON.stringify(hidden),
    due_at: toRealMs(ctx),
    notify_hash: toNotifyHash(ctx, authorization),
    // A new access address has a quota of its own at the source, but the user is the same.
    calls: JSON.stringify([...JSON.parse(pull?.calls ?? '[]'), ...authorization.calls]),
  })
  if (expiresAt !== null) await updateItem(ctx, itemId, { consent_expiration_time: expiresAt })
  await planExpirationNotice(ctx, { ...item, consent_expiration_time: expiresAt })
  await changeSourceHealth(ctx, item, healthOf(null), 'page')
  ctx.beginDueWork()
  return { item, accounts: await listAccounts(ctx, itemId) }
}

const toNotifyHash = ({ keys }: Context, { connector, notify }: Authorization): string | null =>
  connector.isNews && notify !== undefined ? keys.hash(notify) : null

/** Sources count by real time. */
const toRealMs = ({ nowMs, client }: Context): number => nowMs - client.clock_offset_ms

interface Answered {
  accounts: readonly ChosenAccount[]
  hidden: readonly HiddenAccount[]
}

/** Makes the accounts that the user shares, and returns those that stay hidden. */
async function putAccounts(
  ctx: Context,
  item: ItemRow,
  { connector, told }: Authorization,
  { accounts, hidden }: Answered,
): Promise<HiddenAccount[]> {
  const shown: SourceAccount[] = []
  const leftOut: HiddenAccount[] = []
  for (const { id, account, balances } of told) {
    const chosen = accounts.find((one) => one.id === id)
    if (!chosen && !(await findAccountOf(ctx, item.item_id, account))) {
      leftOut.push({ account, isLeftOut: true })
      continue
    }
    shown.push(account)
    if (!chosen || chosen.isKnown) continue
    const { kind, balance } = chosen
    const statement = { ...openStatement(connector, account), balances }
    await commitStatement(ctx, item, statement, {
      kind: { type: kind.type, subtype: kind.subtype ?? '' },
      ...(balance === undefined ? {} : { balance }),
    })
  }
  const others = withoutShown(hidden, [...shown, ...leftOut.map(({ account }) => account)])
  return [...others, ...leftOut]
}
