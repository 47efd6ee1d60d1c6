import type {
  AccountBalances,
  AccountKind,
  CategoryConfidence,
  Counterparty,
  CreditLiability,
  HolderCategory,
  MortgageLiability,
  Owner,
  PaymentChannel,
  PaymentMeta,
  StudentLiability,
  Transaction,
  TransactionCode,
  TransactionLocation,
  VerificationInsights,
  VerificationStatus,
} from '#contract/closed.ts'
import type { CategoryKey } from './categories.ts'

/** An Item as plain data, with the field names of the contract. */
export interface ItemSpec {
  accounts: AccountSpec[]
}

export interface AccountSpec extends AccountKind {
  account_id?: string
  name: string
  official_name: string | null
  mask: string | null
  holder_category?: HolderCategory | null
  balances: AccountBalances
  verification_status?: VerificationStatus
  verification_name?: string
  verification_insights?: VerificationInsights
  persistent_account_id?: string
  closed?: boolean
  owners: Owner[]
  /** The owners after the next refresh of identity. */
  pending_owners?: Owner[]
  liability?: LiabilitySpec
  transactions: TransactionSpec[]
}

/** The fields of a card's next payment. */
export type NextPayment = Pick<
  CreditLiability,
  'is_overdue' | 'minimum_payment_amount' | 'next_payment_due_date'
>

export type CreditSpec = {
  kind: 'credit'
  /**
   * The next-payment fields that a file or a caller has set. They are shown whatever the debt is.
   */
  given?: readonly (keyof NextPayment)[]
} & Omit<CreditLiability, 'account_id'>
export type MortgageSpec = { kind: 'mortgage' } & Omit<MortgageLiability, 'account_id'>
export type StudentSpec = { kind: 'student' } & Omit<StudentLiability, 'account_id'>

/** The debt of an account, without the account id. */
export type LiabilitySpec = CreditSpec | MortgageSpec | StudentSpec

/** A counterparty. `logo` is the name of an image, and the service adds its address. */
export interface CounterpartySpec extends Pick<Counterparty, 'name' | 'type' | 'website'> {
  entity_id: string | null
  logo: string | null
  confidence_level: CategoryConfidence
}

type Money = Pick<Transaction, 'amount' | 'iso_currency_code' | 'unofficial_currency_code'>
type Times = Pick<Transaction, 'date' | 'datetime' | 'authorized_date' | 'authorized_datetime'>

/** A transaction without its account. */
export interface TransactionSpec extends Money, Times {
  transaction_id?: string
  name: string
  original_description: string | null
  merchant_name: string | null
  merchant_entity_id: string | null
  website: string | null
  logo: string | null
  pending: boolean
  pending_transaction_id: string | null
  category: CategoryKey
  category_confidence: CategoryConfidence
  payment_channel: PaymentChannel
  transaction_code: TransactionCode | null
  location: TransactionLocation
  payment_meta: PaymentMeta
  counterparties: CounterpartySpec[]
  check_number: string | null
  /** Fields of the document that a source with this API has told; they take the place of those here. */
  details?: Partial<Transaction>
}
