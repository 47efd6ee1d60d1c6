import type { Owner } from '#contract/closed.ts'
import type { SourceOwner } from '../../statements/statement.ts'

/** The owners of an account as the interface shows them. */
export const toOwners = (owners: readonly SourceOwner[] = []): Owner[] => owners.map(toOwner)

function toOwner({ name, address, phone, mobile, email }: SourceOwner): Owner {
  const phones = [
    ...(phone === undefined ? [] : [{ data: phone, type: 'other' as const }]),
    ...(mobile === undefined ? [] : [{ data: mobile, type: 'mobile' as const }]),
  ]
  return {
    names: [name],
    phone_numbers: phones.map((one, index) => ({ ...one, primary: index === 0 })),
    emails: email === undefined ? [] : [{ data: email, primary: true, type: 'primary' }],
    addresses: address === undefined ? [] : [{ data: toAddress(address) }],
  }
}

const toAddress = (address: NonNullable<SourceOwner['address']>) => ({
  // The interface has a text here, also for a place without streets.
  street: address.street ?? '',
  city: address.city ?? null,
  region: address.region ?? null,
  postal_code: address.postal_code ?? null,
  country: address.country ?? null,
})
