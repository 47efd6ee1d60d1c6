import type { IdentityAccount, IdentityUpdateKind, Owner } from '#contract/closed.ts'
import type { SandboxOwnerInput } from '../../../generated/sandbox/closed.ts'
import { toAccount } from './account.ts'
import type { AccountRow } from './account-store.ts'

/** An account with its owners, as `/identity/get` shows it. */
export const toIdentityAccount = (row: AccountRow): IdentityAccount => ({
  ...toAccount(row),
  owners: JSON.parse(row.owners) as Owner[],
})

/** An owner with all fields. Unknown ones are empty or null. */
export const toOwner = (input: SandboxOwnerInput): Owner => ({
  names: input.names,
  phone_numbers: (input.phone_numbers ?? []).map(({ data, primary, type }) => ({
    data,
    primary,
    type,
  })),
  emails: (input.emails ?? []).map(({ data, primary, type }) => ({ data, primary, type })),
  addresses: (input.addresses ?? []).map(({ data, primary }) => ({
    data: {
      street: data.street,
      city: data.city ?? null,
      region: data.region ?? null,
      postal_code: data.postal_code ?? null,
      country: data.country ?? null,
    },
    ...(typeof primary === 'boolean' ? { primary } : {}),
  })),
})

const parts = {
  PHONES: 'phone_numbers',
  ADDRESSES: 'addresses',
  EMAILS: 'emails',
  NAMES: 'names',
} as const satisfies Record<IdentityUpdateKind, keyof Owner>

const kinds = Object.keys(parts) as IdentityUpdateKind[]

/** The differences between the shown owners and the institution's current data. */
export function findUpdatedKinds(before: readonly Owner[], after: readonly Owner[]) {
  const partOf = (owners: readonly Owner[], kind: IdentityUpdateKind) =>
    JSON.stringify(owners.map((owner) => owner[parts[kind]]))
  return kinds.filter((kind) => partOf(before, kind) !== partOf(after, kind))
}
