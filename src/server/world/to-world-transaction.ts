import type { AccountBalances } from '#contract/types.ts'
import type { WorldTransaction } from '../../../generated/sandbox/types.ts'
import { toPlainSpec } from '../transactions/plain-transaction.ts'
import type { CategoryKey } from './categories.ts'
import type { CounterpartySpec, TransactionSpec } from './item-spec.ts'
import { idFrom } from './random.ts'
import { complete } from './world-context.ts'
import { needs } from './world-needs.ts'
import { toWorldDate } from './world-time.ts'

type Currency = Pick<AccountBalances, 'iso_currency_code' | 'unofficial_currency_code'>

/** A transaction as a file of the world spells it out. */
export function toWorldTransaction(
  given: WorldTransaction,
  { iso_currency_code, unofficial_currency_code }: Currency,
  anchor: string,
): TransactionSpec {
  const { date, amount, description } = complete(given, needs.transaction)
  const { authorized_date = date, merchant_name, name = merchant_name ?? description } = given
  const plain = toPlainSpec({
    amount,
    description,
    date: toWorldDate(anchor, date),
    authorized_date: toWorldDate(anchor, authorized_date),
    iso_currency_code,
    unofficial_currency_code,
    pending: given.pending ?? false,
  })
  return {
    ...plain,
    ...(given.transaction_id === undefined ? {} : { transaction_id: given.transaction_id }),
    name,
    pending_transaction_id: given.pending_transaction_id ?? null,
    payment_channel: given.payment_channel ?? 'other',
    ...(given.category === undefined
      ? {}
      : // A check has found that it is one.
        { category: given.category as CategoryKey, category_confidence: 'VERY_HIGH' as const }),
    ...(merchant_name === undefined ? {} : merchantOf(given, merchant_name)),
  }
}

function merchantOf(given: WorldTransaction, name: string): Partial<TransactionSpec> {
  const entity_id = given.merchant_entity_id ?? idFrom('merchant', name, 'opaque')
  const website = given.website ?? null
  const merchant: CounterpartySpec = {
    name,
    type: 'merchant',
    website,
    entity_id,
    logo: null,
    confidence_level: 'VERY_HIGH',
  }
  return { merchant_name: name, merchant_entity_id: entity_id, website, counterparties: [merchant] }
}
