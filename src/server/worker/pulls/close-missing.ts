import { listAllAccounts, updateAccount } from '../../items/account-store.ts'
import type { ItemRow } from '../../items/store.ts'
import type { Context } from '../../kernel/context.ts'
import type { PulledStatements } from '../../sources/pulled-statements.ts'
import { findAccountOf } from '../../sources/source-account.ts'

/**
 * Closes the accounts of an Item that its source no longer tells, and opens again those that it does.
 * For sources that tell all accounts at each read, under ids that stay.
 */
export async function closeMissing(
  ctx: Context,
  { item_id }: ItemRow,
  { statements, issues }: PulledStatements,
): Promise<void> {
  // An account that could not be read is not gone, and a source without accounts is rather broken.
  if (statements.length === 0 || issues.some(({ kind }) => kind !== 'row')) return
  const told = new Set<number>()
  for (const { account } of statements) {
    const found = await findAccountOf(ctx, item_id, account)
    if (found) told.add(found.account_key)
  }
  for (const account of await listAllAccounts(ctx, item_id)) {
    const closed = told.has(account.account_key) ? 0 : 1
    if (account.closed !== closed) await updateAccount(ctx, account, { closed })
  }
}
