import { toAccount } from '../items/account.ts'
import { type AccountRow, listAllAccounts } from '../items/account-store.ts'
import type { ItemRow } from '../items/store.ts'
import { openSeed } from '../items/stored-seed.ts'
import type { Context } from '../kernel/context.ts'
import { toMinor } from '../kernel/money.ts'
import { addDays, toDate } from '../kernel/time.ts'
import { type AddedTransaction, evolveDay, type RemovedTransaction } from '../simulation/evolve.ts'
import { removeTransaction } from './change-transactions.ts'
import {
  type BalanceChange,
  changeBalances,
  findEvolvedOn,
  saveEvolvedOn,
} from './evolution-store.ts'
import { insertTransactions, type NewTransaction } from './insert-transactions.ts'
import { findEver, findTransaction, type TransactionRow } from './store.ts'
import { readDocument } from './transaction.ts'

/**
 * Simulates the days since the last check at the institution. Returns the removed transactions. In
 * production nothing is simulated: what is not imported has not happened.
 */
export async function evolveTransactions(ctx: Context, item: ItemRow): Promise<string[]> {
  if (ctx.settings.environment === 'production') return []
  const evolvedOn = item.seed === null ? undefined : await findEvolvedOn(ctx, item.item_id)
  if (item.seed === null || evolvedOn === undefined) return []
  const seed = openSeed(ctx, item.seed)
  const today = toDate(ctx.now)
  const accounts = await listAllAccounts(ctx, item.item_id)
  const removed: string[] = []
  for (let day = addDays(evolvedOn, 1); day <= today; day = addDays(day, 1)) {
    removed.push(...(await applyDay(ctx, { item_id: item.item_id, seed }, accounts, day)))
  }
  if (today > evolvedOn) await saveEvolvedOn(ctx, item.item_id, today)
  return removed
}

interface Addition extends AddedTransaction {
  /** The pending transaction that it replaces, if there was one. */
  replaces: TransactionRow | undefined
}

async function applyDay(
  ctx: Context,
  { item_id, seed }: { item_id: string; seed: string },
  accounts: readonly AccountRow[],
  day: string,
): Promise<string[]> {
  const evolving = accounts.map((row) => ({ ...toAccount(row), closed: row.closed === 1 }))
  const { added, removed } = evolveDay(seed, evolving, day)
  const additions: Addition[] = []
  for (const one of added) {
    const pendingId = one.transaction.pending_transaction_id
    const replaces = pendingId ? await findEver(ctx, item_id, pendingId) : undefined
    // If a test has posted or removed the pending one, it must not post again.
    if (replaces?.removed !== 1) additions.push({ ...one, replaces })
  }
  const gone: string[] = []
  for (const one of removed) {
    if (await drop(ctx, item_id, accounts, one)) gone.push(one.transaction_id)
  }
  await add(ctx, item_id, accounts, additions)
  return gone
}

/**
 * Removes a pending transaction, and its hold on the available balance. Returns whether it was
 * shown.
 */
async function drop(
  ctx: Context,
  itemId: string,
  accounts: readonly AccountRow[],
  { account, transaction_id }: RemovedTransaction,
): Promise<boolean> {
  const row = await findTransaction(ctx, itemId, transaction_id)
  const on = accounts[account]
  if (!row || !on) return false
  const available = toMinor(readDocument(row).amount)
  await changeBalances(ctx, itemId, { account_key: on.account_key, current: 0, available })
  return removeTransaction(ctx, itemId, row)
}

/** Writes the new transactions, and updates the balances. */
async function add(
  ctx: Context,
  itemId: string,
  accounts: readonly AccountRow[],
  additions: readonly Addition[],
): Promise<void> {
  const changes = new Map<number, BalanceChange>()
  const written: NewTransaction[] = []
  for (const { account, transaction, replaces } of additions) {
    const on = accounts[account]
    if (!on) continue
    const replaced = replaces?.first_sequence ? replaces.transaction_id : null
    const spec = { ...transaction, pending_transaction_id: replaced }
    written.push({ account_id: on.account_id, transaction: spec })
    const { account_key } = on
    const { current, available } = changes.get(account_key) ?? { current: 0, available: 0 }
    const moved = toMinor(spec.amount)
    const posted = on.type === 'depository' ? -moved : moved
    changes.set(account_key, {
      account_key,
      current: current + (spec.pending ? 0 : posted),
      available: available - moved,
    })
  }
  await insertTransactions(ctx, itemId, written, { shown: false })
  for (const change of changes.values()) await changeBalances(ctx, itemId, change)
}
