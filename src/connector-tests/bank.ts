import type {
  FormStep,
  Input,
  RedirectStep,
  SourceRequest,
  SourceTransaction,
  WaitStep,
} from '../connector/connector.ts'

/** An account that the bank has. */
export interface BankAccount {
  id: string
  name: string
  currency: string
  /** What the customer has, as a decimal: negative when the customer owes it. */
  balance: string
  rows: readonly BankRow[]
  /** Whether the bank cannot read this account now. */
  fails: boolean
}

/** A booking from the customer's view: money into the account is positive. */
export type BankRow = SourceTransaction & { id: string }

/** What the bank has at the time of a request. */
export interface BankState {
  /** Real time in ms. */
  now: number
  accounts: readonly BankAccount[]
}

/** What the server of the bank answers. */
export interface BankResponse {
  status?: number
  headers?: Readonly<Record<string, string>>
  body: string
}

/** What some banks cannot tell. The checks about it are skipped. */
export type Lack = 'pending rows' | 'accounts that fail' | 'other currencies' | 'names of accounts'

/** A bank that answers as the real one does. You write it beside your connector. */
export interface ScriptedBank {
  /** The settings of the institution. */
  settings: unknown
  /** What the user answers to a step; undefined for the beginning, where the connector has no `first`. */
  answer(step: FormStep | RedirectStep | WaitStep | undefined): Input['fields']
  /** An answer to the first step that the bank rejects. Left out, that check is skipped. */
  wrongAnswer?: Input['fields']
  /** Answers a request with what the bank has. */
  respond(request: SourceRequest, state: BankState): BankResponse | Promise<BankResponse>
  /** How the bank rejects a secret. Left out, it answers with the status 401 or 403, without a body. */
  rejections?: readonly BankResponse[]
  lacks?: readonly Lack[]
}

const row = (
  id: string,
  date: string,
  amount: string,
  description: string,
  currency = 'USD',
): BankRow => ({
  id,
  status: 'posted',
  amount,
  currency,
  date,
  description,
})

/** Today, in the time of the checks. */
export const today = '2026-03-16'
export const now: number = Date.parse(`${today}T12:00:00Z`)

/** The days that a usual read asks for. */
export const usualWindow = { from: '2026-02-14', to: '2026-03-17' }

export const pendingRow: BankRow = {
  ...row('P1', '2026-03-15', '-20.00', 'Harbor Books'),
  status: 'pending',
}
export const postedRow: BankRow = { ...row('P1', '2026-03-16', '-20.00', 'Harbor Books') }
export const lateRow: BankRow = row('L1', '2026-03-08', '-7.35', 'Lantern Cinema')

/** An account in another currency. */
export const savings: BankAccount = {
  id: 'ACT-2',
  name: 'Savings 5678',
  currency: 'EUR',
  balance: '2500.00',
  rows: [row('S1', '2026-03-05', '250.00', 'Own transfer', 'EUR')],
  fails: false,
}

/** An account with two bookings that are alike. */
export const checking: BankAccount = {
  id: 'ACT-1',
  name: 'Checking 1234',
  currency: 'USD',
  balance: '1180.75',
  rows: [
    row('T1', '2026-03-02', '-12.50', 'Tide Coffee'),
    row('T2', '2026-03-06', '1500.00', 'Larkspur Wages'),
    row('T3', '2026-03-09', '-4.20', 'Tide Coffee'),
    row('T4', '2026-03-09', '-4.20', 'Tide Coffee'),
  ],
  fails: false,
}

/** The account with more rows. */
export const withRows = (account: BankAccount, ...rows: readonly BankRow[]): BankAccount => ({
  ...account,
  rows: [...account.rows, ...rows],
})
