import type { DocumentExtractedData } from '#contract/closed.ts'
import { type DocumentUpload, hasBack } from './evidence.ts'
import { randomOf, type Subject, withPerson } from './subject.ts'

/** A document's data, of which only a name and a day of birth could be compared. */
export interface IdentityDocument {
  data: DocumentExtractedData
  /** Passports have their data on one page. */
  hasBack: boolean
  /** Whether a state of the United States issued it, whose records can be asked. */
  isLicense: boolean
}

/** The user's document, as they chose it: or a driver's license in the United States, else a passport. */
export function toIdentityDocument({ id, created_at, user, evidence }: Subject): IdentityDocument {
  const random = randomOf(id, 'document')
  const person = withPerson(user, id)
  const { address, date_of_birth, name } = person
  const chosen = evidence.documents?.at(-1) ?? usual(address?.country)
  const isLicense = chosen.category === 'drivers_license' && chosen.country === 'US'
  const year = Number(created_at.slice(0, 4)) + random.integer(2, 7)
  return {
    hasBack: hasBack(chosen.category),
    isLicense,
    data: {
      id_number: `${random.pick(['K', 'M', 'T', 'X'])}${random.digits(7)}`,
      category: chosen.category,
      expiration_date: `${year}-${birthday(date_of_birth)}`,
      issue_date: `${Number(created_at.slice(0, 4)) - random.integer(1, 3)}-${birthday(date_of_birth)}`,
      issuing_country: chosen.country,
      issuing_region: isLicense ? (address?.region ?? null) : null,
      date_of_birth,
      address: isLicense && address ? onOneLine(address) : null,
      name,
    },
  }
}

const usual = (country = 'US'): Pick<DocumentUpload, 'category' | 'country'> => ({
  category: country === 'US' ? 'drivers_license' : 'passport',
  country,
})

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
