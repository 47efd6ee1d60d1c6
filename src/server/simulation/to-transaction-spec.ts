import type { PaymentMeta } from '#contract/closed.ts'
import { type Day, toDate } from './calendar.ts'
import { toCounterpartySpec } from './companies.ts'
import type { TransactionSpec } from './item-spec.ts'
import type { Detail, Movement } from './movement.ts'
import type { Profile } from './profile.ts'
import { createRandom, idFrom } from './random.ts'
import { nowhere } from './towns.ts'

export const noMeta: PaymentMeta = {
  reference_number: null,
  ppd_id: null,
  payee: null,
  by_order_of: null,
  payer: null,
  payment_method: null,
  payment_processor: null,
  reason: null,
}

const toId = ({ seed }: Profile, { label }: Movement, state: 'pending' | 'posted'): string =>
  idFrom(seed, `${label}/${state}`, 'opaque')

/** Only institutions outside the US and Canada classify transactions. */
const codeOf = ({ country }: Profile, { code }: Detail): TransactionSpec['transaction_code'] =>
  country === 'GB' ? code : null

export const pendingIdOf = (profile: Profile, movement: Movement): string =>
  toId(profile, movement, 'pending')

/** The pending transaction of a movement. */
export function toPendingSpec(profile: Profile, movement: Movement): TransactionSpec {
  return {
    ...toSharedSpec(profile, movement),
    transaction_id: toId(profile, movement, 'pending'),
    date: toDate(movement.seen),
    datetime: null,
    amount: movement.pendingCents / 100,
    pending: true,
    pending_transaction_id: null,
  }
}

/** The posted transaction of a movement. `wasSeen`: the service saw the pending one. */
export function toPostedSpec(
  profile: Profile,
  movement: Movement,
  posts: Day,
  wasSeen: boolean,
): TransactionSpec {
  return {
    ...toSharedSpec(profile, movement),
    transaction_id: toId(profile, movement, 'posted'),
    date: toDate(posts),
    datetime: postedAt(profile, movement, posts),
    amount: movement.cents / 100,
    pending: false,
    pending_transaction_id: wasSeen ? toId(profile, movement, 'pending') : null,
  }
}

/** Few institutions give a time of posting. Those that do post shortly after midnight. */
function postedAt(profile: Profile, { label, detail }: Movement, posts: Day): string | null {
  if (detail.time === undefined) return null
  const random = createRandom(`${profile.seed}/${label}/time`)
  return random.chance(0.3)
    ? `${toDate(posts)}T0${random.integer(4, 8)}:${random.integer(10, 59)}:00Z`
    : null
}

function toSharedSpec(
  profile: Profile,
  { seen, detail }: Movement,
): Omit<
  TransactionSpec,
  'transaction_id' | 'date' | 'datetime' | 'amount' | 'pending' | 'pending_transaction_id'
> {
  const merchant = detail.parties.find(({ type }) => type === 'merchant' || type === 'marketplace')
  return {
    iso_currency_code: profile.currency,
    unofficial_currency_code: null,
    authorized_date: toDate(seen),
    authorized_datetime: detail.time === undefined ? null : `${toDate(seen)}T${detail.time}Z`,
    name: detail.name,
    original_description: detail.text,
    merchant_name: merchant?.name ?? null,
    merchant_entity_id: merchant?.entity_id ?? null,
    website: merchant?.website ?? null,
    logo: merchant?.logo ?? null,
    category: detail.category,
    category_confidence: detail.confidence,
    payment_channel: detail.channel,
    transaction_code: codeOf(profile, detail),
    // Copies, since the history reuses its own objects.
    location: { ...(detail.location ?? nowhere) },
    payment_meta: { ...noMeta, ...detail.meta },
    counterparties: detail.parties.map(toCounterpartySpec),
    check_number: detail.check_number ?? null,
  }
}
