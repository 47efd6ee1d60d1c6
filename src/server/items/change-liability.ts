import type { SandboxLiabilityInput } from '../../../generated/sandbox/closed.ts'
import { invalidField } from '../kernel/errors.ts'
import type { CreditSpec, LiabilitySpec, NextPayment } from '../simulation/item-spec.ts'
import { generateLiability, type LiabilityKind } from './liability.ts'

const samples = new Map<LiabilityKind, LiabilitySpec>()

/** A liability of the kind, with all fields of that kind. */
function sampleOf(kind: LiabilityKind): LiabilitySpec {
  const found =
    samples.get(kind) ??
    generateLiability(kind, { seed: 'sample', date: '2026-01-01', country: 'US' })
  samples.set(kind, found)
  return found
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value with every field of the sample. Omitted fields are null. */
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

/** The liability fields that a kind does not have. */
export function findForeignFields(kind: LiabilityKind, input: SandboxLiabilityInput): string[] {
  const own = sampleOf(kind)
  return Object.keys(input).filter((name) => name === 'kind' || !Object.hasOwn(own, name))
}

/** The liability with the given fields replaced. */
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

/** The next-payment fields of a card that were given, now or earlier. */
function toGiven(
  liability: LiabilitySpec,
  input: SandboxLiabilityInput,
): Pick<CreditSpec, 'given'> {
  if (liability.kind !== 'credit') return {}
  const given = payment.filter((name) => name in input || liability.given?.includes(name))
  return given.length === 0 ? {} : { given }
}

/** The same, but fails if the account is not such a liability or lacks the field. */
export function requireLiabilityChange(
  liability: LiabilitySpec | undefined,
  input: SandboxLiabilityInput,
): LiabilitySpec {
  if (!liability) {
    throw invalidField('`liability` needs a credit card, student loan or mortgage in `account_id`')
  }
  const foreign = findForeignFields(liability.kind, input)
  if (foreign.length === 0) return changeLiability(liability, input)
  const names = foreign.map((name) => `\`liability.${name}\``).join(', ')
  throw invalidField(`${names} must be left out for an account of this kind`)
}
