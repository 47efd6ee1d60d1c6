import type { Counterparty, PersonalFinanceCategory, Transaction } from '#contract/closed.ts'
import { categoryOf } from './categories.ts'
import type { CounterpartySpec, TransactionSpec } from './item-spec.ts'

interface TransactionPlace {
  account_id: string
  transaction_id: string
  /** The public base URL of the service, without a slash at the end. */
  publicUrl: string
}

/**
 * A transaction ready to be stored. Fields that are sent only on request are outside the document.
 */
interface TransactionDocument {
  transaction: Transaction
  categoryV1: PersonalFinanceCategory
  original_description: string | null
}

/** The JSON form of a transaction in the current version. */
export function toTransactionDocument(
  spec: TransactionSpec,
  place: TransactionPlace,
): TransactionDocument {
  const { v1 } = categoryOf(spec.category)
  return {
    transaction: { ...toTransaction(spec, place), ...spec.details },
    categoryV1: { ...v1, confidence_level: spec.category_confidence, version: 'v1' },
    original_description: spec.original_description,
  }
}

function toTransaction(spec: TransactionSpec, place: TransactionPlace): Transaction {
  const { v2, icon } = categoryOf(spec.category)
  return {
    transaction_id: place.transaction_id,
    account_id: place.account_id,
    account_owner: null,
    amount: spec.amount,
    iso_currency_code: spec.iso_currency_code,
    unofficial_currency_code: spec.unofficial_currency_code,
    date: spec.date,
    datetime: spec.datetime,
    authorized_date: spec.authorized_date,
    authorized_datetime: spec.authorized_datetime,
    name: spec.name,
    merchant_name: spec.merchant_name,
    merchant_entity_id: spec.merchant_entity_id,
    website: spec.website,
    logo_url: toLogoUrl(spec.logo, place.publicUrl),
    check_number: spec.check_number,
    pending: spec.pending,
    pending_transaction_id: spec.pending_transaction_id,
    payment_channel: spec.payment_channel,
    transaction_code: spec.transaction_code,
    personal_finance_category: {
      primary: v2.primary,
      detailed: v2.detailed,
      confidence_level: spec.category_confidence,
      version: 'v2',
    },
    personal_finance_category_icon_url: `${place.publicUrl}/icons/${icon}.png`,
    business_finance_category: null,
    category: null,
    category_id: null,
    counterparties: spec.counterparties.map((party) => toCounterparty(party, place.publicUrl)),
    location: spec.location,
    payment_meta: spec.payment_meta,
    client_customization: null,
  }
}

const toLogoUrl = (logo: string | null, publicUrl: string): string | null =>
  logo === null ? null : `${publicUrl}/logos/${logo}.png`

function toCounterparty(party: CounterpartySpec, publicUrl: string): Counterparty {
  return {
    name: party.name,
    entity_id: party.entity_id,
    type: party.type,
    website: party.website,
    logo_url: toLogoUrl(party.logo, publicUrl),
    confidence_level: party.confidence_level,
    account_numbers: null,
  }
}
