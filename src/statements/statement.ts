import type { Transaction } from '#contract/types.ts'

/** The formats of files that banks give their customers. */
export const statementFormats = ['ofx', 'camt', 'mt940', 'csv'] as const

export type StatementFormat = (typeof statementFormats)[number]

/** The account of a statement, as far as the file tells it. */
export interface SourceAccount {
  /** The account's number, or its IBAN where the file has nothing else. */
  id: string
  iban?: string
  /** The bank's code: a routing number, a BIC, or what the country uses. */
  bank_id?: string
  /** The bank's code of a branch, where files name it apart. */
  branch_id?: string
  /** The file's own word for the kind of account, such as `CHECKING`. */
  type?: string
  /** What kind of that, where a mapping says it. */
  subtype?: string
  /** ISO 4217, or what the file uses instead. */
  currency: string
  /** Who owns it, where the file tells. */
  owners?: readonly SourceOwner[]
  /**
   * Of a source whose ids are its own and no numbers of banks. `shared`: another account has the same
   * id, and `bank_id` tells them apart.
   */
  opaque?: 'own' | 'shared'
  /** What the source calls it. */
  name?: string
  /** The bank or other organization that has it. */
  organization?: string
  /** Its last digits, where they are not those of the id. */
  mask?: string
  /**
   * Of a source with exact ids: what the ids of its rows belong to. If it changes, rows with new ids are
   * compared with those that are there.
   */
  epoch?: string
}

/** An owner of an account. */
export interface SourceOwner {
  name: string
  address?: {
    /** The street with its number, or the lines of an address without parts. */
    street?: string
    city?: string
    region?: string
    postal_code?: string
    country?: string
  }
  phone?: string
  mobile?: string
  email?: string
}

/** What an account held on a day. */
export interface SourceBalance {
  type: 'opening' | 'closing' | 'available'
  /** A decimal with two places; negative when the customer owes it. */
  amount: string
  currency: string
  /** `YYYY-MM-DD`, as written in the file. */
  date: string
  /** Of the day so far: bookings may come before it that the file does not have. */
  interim?: true
}

/** A booking, seen from the customer's side. */
export interface SourceTransaction {
  /** The bank's own id, where it gives one. */
  id?: string
  status: 'posted' | 'pending'
  /** A decimal with two places: positive into the account, negative out of it. */
  amount: string
  currency: string
  /** The day of the booking, `YYYY-MM-DD`, as written in the file. */
  date: string
  value_date?: string
  /** The bank's text, without surplus spaces. */
  description: string
  counterparty?: string
  /** Other marks of the booking by name, such as `end_to_end_id` or `check_number`. */
  references?: Readonly<Record<string, string>>
  /** Of a source with exact ids: the id of the pending row that this one was before it posted. */
  replaces?: string
  /** Fields of the API's transaction that the source tells in the same form. They are shown as told. */
  details?: TransactionDetails
}

/** What a source that has this API tells of a transaction. */
export type TransactionDetails = Partial<
  Omit<
    Transaction,
    | 'transaction_id'
    | 'account_id'
    | 'amount'
    | 'iso_currency_code'
    | 'unofficial_currency_code'
    | 'date'
    | 'pending'
    | 'pending_transaction_id'
  >
>

/** Why a part of a file could not be read, by code; whether something of it was lost. */
export const issueCodes = {
  UNSUPPORTED_PRECISION: { lost: true },
  INVALID_AMOUNT: { lost: true },
  INVALID_DATE: { lost: true },
  INVALID_VALUE: { lost: true },
  MISSING_VALUE: { lost: true },
  INVALID_ENCODING: { lost: true },
  MIXED_ENCODING: { lost: false },
  UNEXPECTED_END: { lost: true },
  UNSUPPORTED_TRANSACTION: { lost: true },
  BALANCE_MISMATCH: { lost: true },
  UNKNOWN_ACCOUNT: { lost: false },
  UNKNOWN_CURRENCY: { lost: false },
  UNFINISHED_LINE: { lost: false },
  REPORTED_BY_BANK: { lost: true },
  NO_BOOKING: { lost: false },
} as const

/** Something in a file that could not be read as it stands. */
export interface StatementIssue {
  /** Counted from 1. */
  line?: number
  code: keyof typeof issueCodes
  message: string
}

/** What a file tells, in its order. Balances and bookings belong to the statement before them. */
export type StatementEvent =
  | {
      kind: 'statement'
      account: SourceAccount
      /** Of a report of the day so far: another statement will tell the day again. */
      isIntraday?: boolean
    }
  | { kind: 'period'; period: { from?: string; to?: string } }
  | { kind: 'balance'; balance: SourceBalance }
  | { kind: 'transaction'; transaction: SourceTransaction; line: number }
  | { kind: 'issue'; issue: StatementIssue }

/** A file that is no statement at all. */
export class NoStatement extends Error {
  override readonly name = 'NoStatement'
}

/** Reads one format from pieces of text, cut anywhere. */
export interface StatementParser {
  write(text: string): void
  /** After the last piece: tells what the file left open. */
  end(): void | Promise<void>
}

/** Takes what a parser finds. */
export type Emit = (event: StatementEvent) => void
