import type { Transaction } from '#contract/closed.ts'
import { toAmount, toMinor } from '../kernel/money.ts'
import type { TransactionSpec } from '../simulation/item-spec.ts'
import { noMeta } from '../simulation/to-transaction-spec.ts'
import { nowhere } from '../simulation/towns.ts'

/** The fields that some callers give for a transaction. */
export interface PlainTransaction
  extends Pick<
    Transaction,
    'amount' | 'date' | 'authorized_date' | 'iso_currency_code' | 'unofficial_currency_code'
  > {
  description: string
  pending: boolean
}

/** A transaction of which only the description is known. */
export function toPlainSpec({ description, ...plain }: PlainTransaction): TransactionSpec {
  return {
    ...plain,
    amount: toAmount(toMinor(plain.amount)),
    name: description,
    original_description: description,
    datetime: null,
    authorized_datetime: null,
    merchant_name: null,
    merchant_entity_id: null,
    website: null,
    logo: null,
    pending_transaction_id: null,
    category: plain.amount < 0 ? 'INCOME_OTHER' : 'OTHER_OTHER',
    category_confidence: 'LOW',
    payment_channel: 'other',
    transaction_code: null,
    location: nowhere,
    payment_meta: noMeta,
    counterparties: [],
    check_number: null,
  }
}
