import type {
  CreditLiability,
  Liabilities,
  MortgageLiability,
  StudentLiability,
} from '#contract/closed.ts'
import type { Keys } from '../kernel/keys.ts'
import { toAmount, toMinor } from '../kernel/money.ts'
import { debtOn } from '../simulation/accounts.ts'
import type { CreditSpec, LiabilitySpec, NextPayment } from '../simulation/item-spec.ts'
import type { Country } from '../simulation/towns.ts'
import type { AccountRow } from './account-store.ts'

/** A kind of liability. */
export type LiabilityKind = LiabilitySpec['kind']

/** The liability kind of an account. Undefined if it has no supported kind. */
export function liabilityKindOf(
  account: Pick<AccountRow, 'type' | 'subtype'>,
): LiabilityKind | undefined {
  const { type, subtype } = account
  if (type === 'credit') {
    return subtype === 'credit card' || subtype === 'paypal' ? 'credit' : undefined
  }
  if (type !== 'loan') return undefined
  return subtype === 'student' || subtype === 'mortgage' ? subtype : undefined
}

/** A realistic liability of a kind, as of a day. */
export const generateLiability = (
  kind: LiabilityKind,
  { seed, date, country }: { seed: string; date: string; country: Country },
): LiabilitySpec => debtOn(seed, kind, { date, country })

type LiabilityColumns = Pick<
  AccountRow,
  'liability' | 'liability_account_number' | 'liability_payment_reference'
>

/** Money has at most two decimals. Only rates may have more, and counts have none. */
const withCents = (name: string, value: unknown): unknown =>
  typeof value === 'number' && !name.includes('percentage') ? toAmount(toMinor(value)) : value

/** The stored form of a liability: its numbers are separate and encrypted. */
export function toLiabilityColumns(
  keys: Keys,
  liability: LiabilitySpec | undefined,
): LiabilityColumns {
  const encrypt = (number: string | null) => (number === null ? null : keys.encrypt(number))
  const {
    account_number = null,
    payment_reference_number = null,
    ...rest
  } = {
    ...(liability as Partial<StudentLiability> | undefined),
  }
  return {
    liability: liability ? JSON.stringify(rest, withCents) : null,
    liability_account_number: encrypt(account_number),
    liability_payment_reference: encrypt(payment_reference_number),
  }
}

/** The stored liability of an account. Undefined if it has none. */
export function readLiability(keys: Keys, row: AccountRow): LiabilitySpec | undefined {
  if (row.liability === null) return undefined
  const decrypt = (stored: string | null) => (stored === null ? null : keys.decrypt(stored))
  const rest = JSON.parse(row.liability) as LiabilitySpec
  if (rest.kind === 'credit') return rest
  const numbered = { ...rest, account_number: decrypt(row.liability_account_number) }
  if (numbered.kind === 'mortgage') return numbered
  return { ...numbered, payment_reference_number: decrypt(row.liability_payment_reference) }
}

/** The next-payment fields of a card without debt. Fields that were null stay null. */
function withoutPayment(spec: CreditSpec): CreditSpec {
  const { is_overdue, minimum_payment_amount, next_payment_due_date } = spec
  const none: NextPayment = {
    is_overdue: is_overdue === null ? null : false,
    minimum_payment_amount: minimum_payment_amount === null ? null : 0,
    next_payment_due_date: null,
  }
  const all: NextPayment = { is_overdue, minimum_payment_amount, next_payment_due_date }
  const kept = spec.given?.map((name) => [name, all[name]]) ?? []
  return { ...spec, ...none, ...Object.fromEntries(kept) }
}

function toCredit(found: CreditSpec, { account_id, current }: AccountRow): CreditLiability {
  const { kind: _, given: __, ...fields } = current > 0 ? found : withoutPayment(found)
  return { account_id, ...fields }
}

function withoutKind<Spec extends LiabilitySpec>({ kind: _, ...fields }: Spec): Omit<Spec, 'kind'> {
  return fields
}

/** The liabilities of accounts, by kind. Null for a kind without any. */
export function toLiabilities(keys: Keys, accounts: readonly AccountRow[]): Liabilities {
  const credit: CreditLiability[] = []
  const mortgage: MortgageLiability[] = []
  const student: StudentLiability[] = []
  for (const account of accounts) {
    const found = readLiability(keys, account)
    const { account_id } = account
    if (found?.kind === 'credit') credit.push(toCredit(found, account))
    if (found?.kind === 'mortgage') mortgage.push({ account_id, ...withoutKind(found) })
    if (found?.kind === 'student') student.push({ account_id, ...withoutKind(found) })
  }
  const orNull = <Entry>(entries: Entry[]) => (entries.length === 0 ? null : entries)
  return { credit: orNull(credit), mortgage: orNull(mortgage), student: orNull(student) }
}
