import type { SandboxLiabilityInput } from '../../../../generated/sandbox/closed.ts'

/** A value without null members, since null counts as absent here. */
export function withoutNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNull)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNull(member)]))
}

/** The liability of a validated custom account. */
export const toLiabilityInput = (given: object): SandboxLiabilityInput =>
  withoutNull(given) as SandboxLiabilityInput
