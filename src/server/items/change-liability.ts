import type { SandboxLiabilityInput } from '../../../generated/sandbox/types.ts'
import { ApiError } from '../kernel/errors.ts'
import type { CreditSpec, LiabilitySpec, NextPayment } from '../simulation/item-spec.ts'
import { generateLiability, type LiabilityKind } from './liability.ts'

const samples = new Map<LiabilityKind, LiabilitySpec>()

/** A debt of the kind with all the fields that its kind has. */
function sampleOf(kind: LiabilityKind): LiabilitySpec {
  const found =
    samples.get(kind) ??
    generateLiability(kind, { seed: 'sample', date: '2026-01-01', country: 'US' })
  samples.set(kind, found)
  return found
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value with every part that the sample has; those that were left out are null. */
function complete(value: unknown, sample: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(sample)) {
    return value.map((element) => complete(element, sample[0]))
  }
  if (!isObject(value) || !isObject(sample)) return value
  const names = Object.keys(sample)
  return Object.fromEntries(
    names.map((name) => [name, complete(value[name] ?? null, sample[name])]),
  )
}

/** Which of the fields of debts a kind does not have. */
export function findForeignFields(kind: LiabilityKind, input: SandboxLiabilityInput): string[] {
  const own = sampleOf(kind)
  return Object.keys(input).filter((name) => name === 'kind' || !Object.hasOwn(own, name))
}

/** The debt with the fields that were given. */
export function changeLiability(
  liability: LiabilitySpec,
  input: SandboxLiabilityInput,
): LiabilitySpec {
  const sample: Partial<Record<string, unknown>> = { ...sampleOf(liability.kind) }
  const changed = Object.entries(input).map(([name, value]) => [
    name,
    complete(value, sample[name]),
  ])
  return { ...liability, ...Object.fromEntries(changed), ...toGiven(liability, input) }
}

const payment: readonly (keyof NextPayment)[] = [
  'is_overdue',
  'minimum_payment_amount',
  'next_payment_due_date',
]

/** What was said of a card's next payment, now or before. */
function toGiven(
  liability: LiabilitySpec,
  input: SandboxLiabilityInput,
): Pick<CreditSpec, 'given'> {
  if (liability.kind !== 'credit') return {}
  const given = payment.filter((name) => name in input || liability.given?.includes(name))
  return given.length === 0 ? {} : { given }
}

/** The same, with an error where the account is no such debt or the debt has no such field. */
export function requireLiabilityChange(
  liability: LiabilitySpec | undefined,
  input: SandboxLiabilityInput,
): LiabilitySpec {
  const reject = (message: string) => new ApiError('INVALID_FIELD', { message })
  if (!liability) {
    throw reject('`liability` needs a credit card, student loan or mortgage in `account_id`')
  }
  const foreign = findForeignFields(liability.kind, input)
  if (foreign.length === 0) return changeLiability(liability, input)
  const names = foreign.map((name) => `\`liability.${name}\``).join(', ')
  throw reject(`${names} must be left out for an account of this kind`)
}
