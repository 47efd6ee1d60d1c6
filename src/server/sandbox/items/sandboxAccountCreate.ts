import type { AccountKind, Owner } from '#contract/closed.ts'
import { type AccountRow, listAllAccounts } from '../../items/account-store.ts'
import { insertAccount } from '../../items/insert-account.ts'
import { toWebhookError } from '../../items/item.ts'
import { lockItemOf } from '../../items/store.ts'
import type { Context } from '../../kernel/context.ts'
import type { HandlerOf } from '../../kernel/operation.ts'
import { toDate } from '../../kernel/time.ts'
import { accountsOn } from '../../simulation/accounts.ts'
import { countryOf } from '../../simulation/profile.ts'
import { createRandom } from '../../simulation/random.ts'
import { toNewBalances } from './balances.ts'

export const sandboxAccountCreate: HandlerOf<'sandboxAccountCreate'> = async (ctx, { body }) => {
  const item = await lockItemOf(ctx, body.access_token)
  const { item_id } = item
  const others = await listAllAccounts(ctx, item_id)
  const balances = toNewBalances(body.balances)
  const seed = ctx.newId('uuid')
  const { account_id } = await insertAccount(ctx, item, others.length, {
    // The validator has checked that type and subtype belong together.
    ...({ type: body.type, subtype: body.subtype } as AccountKind),
    name: body.name,
    official_name: body.official_name ?? null,
    mask: body.mask === undefined ? createRandom(seed).digits(4) : body.mask,
    holder_category: body.holder_category ?? null,
    balances,
    owners: findOwners(others) ?? generateOwners(ctx, seed, balances.iso_currency_code),
  })
  const fields = { item_id, error: toWebhookError(ctx, item) }
  await ctx.emit('ITEM.NEW_ACCOUNTS_AVAILABLE', fields, { url: item.webhook, item_id })
  return { account_id }
}

/** The owners of the Item's other accounts. */
function findOwners(accounts: readonly AccountRow[]): Owner[] | undefined {
  const owners = accounts.map((account) => JSON.parse(account.owners) as Owner[])
  return owners.find((found) => found.length > 0)
}

function generateOwners(ctx: Context, seed: string, currency: string | null): Owner[] {
  const options = { date: toDate(ctx.now), country: countryOf(currency) }
  return accountsOn(seed, options)[0]?.owners ?? []
}
