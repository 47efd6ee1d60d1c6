import type { SandboxLiabilityInput } from '../../../../generated/sandbox/types.ts'

/** A value without the members that are null: here they count as absent. */
export function withoutNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNull)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNull(member)]))
}

/** The liability of a custom account, once it has been read. */
export const toLiabilityInput = (given: object): SandboxLiabilityInput =>
  withoutNull(given) as SandboxLiabilityInput
