import type { Owner } from '#contract/closed.ts'
import type { Context } from '../kernel/context.ts'
import { toMinor } from '../kernel/money.ts'
import { readTimestamp, toDate, toTimestamp } from '../kernel/time.ts'
import type { AccountSpec } from '../simulation/item-spec.ts'
import { countryOf } from '../simulation/profile.ts'
import { type AccountNumbers, type AccountRow, insertAccountRow } from './account-store.ts'
import { generateLiability, liabilityKindOf, toLiabilityColumns } from './liability.ts'
import type { ItemRow } from './store.ts'
import { toVerificationColumns } from './verification.ts'
import { planExpiry } from './verification-expiry.ts'

/** The institution whose accounts include the time of their balances. */
const datingInstitution = 'ins_128026'

/** The time of the balances, if the Item's institution reports it. */
export function toLastUpdated(
  { institution_id }: Pick<ItemRow, 'institution_id'>,
  given: string | null,
): string | null {
  return institution_id === datingInstitution && given ? toTimestamp(readTimestamp(given)) : null
}

/** An account of an Item. If its liability is missing, one is generated; null means that it has none. */
export type AccountInput = Omit<AccountSpec, 'transactions' | 'liability'> & {
  numbers?: AccountNumbers
  liability?: AccountSpec['liability'] | null
}

/** Writes an account at a position of its Item. */
export async function insertAccount(
  ctx: Context,
  item: Pick<ItemRow, 'item_id' | 'institution_id' | 'seed' | 'created_at'>,
  accountKey: number,
  input: AccountInput,
): Promise<AccountRow> {
  const row: AccountRow = {
    item_id: item.item_id,
    account_key: accountKey,
    account_id: input.account_id ?? ctx.newId('opaque'),
    ...toKindColumns(input),
    ...toBalanceColumns(item, input, ctx.now),
    ...toVerificationColumns(input.verification_status ?? null, input.verification_insights),
    verification_name: input.verification_name ?? null,
    owners: JSON.stringify(input.owners),
    pending_owners: toPending(input.pending_owners),
    persistent_account_id: input.persistent_account_id ?? null,
    closed: input.closed ? 1 : 0,
    ...toLiabilityColumns(ctx.keys, findLiability(input, toDate(ctx.now), ctx.newId('uuid'))),
  }
  await insertAccountRow(ctx, row, input.numbers)
  await planExpiry(ctx, row, item.created_at)
  return row
}

const toPending = (owners: readonly Owner[] | undefined): string | null =>
  owners ? JSON.stringify(owners) : null

const toKindColumns = (input: AccountInput) => ({
  type: input.type,
  subtype: input.subtype,
  name: input.name,
  official_name: input.official_name,
  mask: input.mask,
  holder_category: input.holder_category ?? null,
})

function toBalanceColumns(
  item: Pick<ItemRow, 'institution_id'>,
  { balances }: Pick<AccountInput, 'balances'>,
  now: string,
) {
  const orNull = (amount: number | null) => (amount === null ? null : toMinor(amount))
  return {
    available: orNull(balances.available),
    current: toMinor(balances.current ?? 0),
    credit_limit: orNull(balances.limit),
    iso_currency_code: balances.iso_currency_code,
    unofficial_currency_code: balances.unofficial_currency_code,
    last_updated_datetime: toLastUpdated(item, balances.last_updated_datetime ?? now),
  }
}

/** Every generated account of a supported liability kind has liability data. */
function findLiability(input: AccountInput, date: string, seed: string) {
  const kind = liabilityKindOf(input)
  if (input.liability === null) return undefined
  if (!kind || input.liability) return input.liability
  const country = countryOf(input.balances.iso_currency_code)
  return generateLiability(kind, { seed, date, country })
}
