import type { DocumentExtractedData } from '#contract/closed.ts'
import { randomOf, type Subject, withPerson } from './subject.ts'

/** A document's data, of which only a name and a day of birth could be compared. */
export interface IdentityDocument {
  data: DocumentExtractedData
  /** Passports have their data on one page. */
  hasBack: boolean
}

/** The user's document: a driver's license in the United States, elsewhere a passport. */
export function toIdentityDocument({ id, created_at, user }: Subject): IdentityDocument {
  const random = randomOf(id, 'document')
  const person = withPerson(user, id)
  const { address, date_of_birth, name } = person
  const isLicense = address?.country === 'US'
  const year = Number(created_at.slice(0, 4)) + random.integer(2, 7)
  return {
    hasBack: isLicense,
    data: {
      id_number: `${random.pick(['K', 'M', 'T', 'X'])}${random.digits(7)}`,
      category: isLicense ? 'drivers_license' : 'passport',
      expiration_date: `${year}-${birthday(date_of_birth)}`,
      issue_date: `${Number(created_at.slice(0, 4)) - random.integer(1, 3)}-${birthday(date_of_birth)}`,
      issuing_country: address?.country ?? 'US',
      issuing_region: isLicense ? address.region : null,
      date_of_birth,
      address: isLicense ? onOneLine(address) : null,
      name,
    },
  }
}

/** The month and day on which documents end; not every year has a leap day. */
function birthday(date: string | null): string {
  const day = date?.slice(5) ?? '06-30'
  return day === '02-29' ? '02-28' : day
}

function onOneLine(
  address: NonNullable<Subject['user']['address']>,
): DocumentExtractedData['address'] {
  const { street, street2, city, region, postal_code, country } = address
  if (street === null || city === null) return null
  const line = street2 === null || street2 === '' ? street : `${street} ${street2}`
  return { street: line, city, region, postal_code, country }
}
