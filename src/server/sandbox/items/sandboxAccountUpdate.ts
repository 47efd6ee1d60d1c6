import { type AccountRow, requireAccount, updateAccount } from '../../items/account-store.ts'
import { requireLiabilityChange } from '../../items/change-liability.ts'
import { changeVerification } from '../../items/change-verification.ts'
import { readLiability, toLiabilityColumns } from '../../items/liability.ts'
import { type Changes, type ItemRow, lockItemOf } from '../../items/store.ts'
import type { Context } from '../../kernel/context.ts'
import type { BodyOf, HandlerOf } from '../../kernel/operation.ts'
import { announceChanges, noChanges } from '../../transactions/emit-updates.ts'
import { renameTransactionsAccount } from '../../transactions/store.ts'
import { toChangedBalances } from './balances.ts'

type Body = BodyOf<'sandboxAccountUpdate'>

export const sandboxAccountUpdate: HandlerOf<'sandboxAccountUpdate'> = async (ctx, { body }) => {
  const item = await lockItemOf(ctx, body.access_token)
  const { item_id } = item
  const account = await requireAccount(ctx, item_id, body.account_id)
  await updateAccount(ctx, account, toChanges(ctx, item, account, body))
  const { name, verification_status } = body
  if (verification_status !== undefined) {
    await changeVerification(ctx, account, verification_status)
  }
  if (name === undefined || name === account.name) return { account_id: account.account_id }
  return { account_id: await rename(ctx, item, account, name) }
}

/** A service that identifies accounts by name treats a renamed account as a new one. */
async function rename(
  ctx: Context,
  item: ItemRow,
  account: AccountRow,
  name: string,
): Promise<string> {
  const account_id = ctx.newId('opaque')
  await updateAccount(ctx, account, { name, account_id })
  const moved = await renameTransactionsAccount(ctx, item.item_id, account.account_id, account_id)
  await announceChanges(ctx, item, { ...noChanges(), modified: moved > 0 })
  return account_id
}

function toChanges(
  ctx: Context,
  item: ItemRow,
  account: AccountRow,
  body: Body,
): Changes<AccountRow> {
  const { official_name, mask, persistent_account_id, holder_category, closed } = body
  const { balances, liability } = body
  const changed = liability && requireLiabilityChange(readLiability(ctx.keys, account), liability)
  return {
    official_name,
    mask,
    persistent_account_id,
    holder_category,
    closed: closed === undefined ? undefined : Number(closed),
    ...(balances ? toChangedBalances(item, account, balances) : {}),
    ...(changed ? toLiabilityColumns(ctx.keys, changed) : {}),
  }
}
