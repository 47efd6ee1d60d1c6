import { IdNumberType } from '#contract/enums.ts'
import type { KnownUser } from './subject.ts'

/** The questions about a person, each on a page. */
export const kycQuestions = ['name', 'birth', 'country', 'address', 'number'] as const

export type KycQuestion = (typeof kycQuestions)[number]

/** What a person is asked for, since the client did not tell it. */
export function asksOf(user: KnownUser): KycQuestion[] {
  const { name, date_of_birth, address, id_number } = user
  const asked: Record<KycQuestion, boolean> = {
    name: name === null,
    birth: date_of_birth === null,
    country: address === null,
    address: address?.street == null,
    number: id_number === null && (address === null || numberTypes(address.country).length > 0),
  }
  return kycQuestions.filter((question) => asked[question])
}

/** The numbers that a country issues. */
export const numberTypes = (country: string): IdNumberType[] =>
  IdNumberType.filter((type) => type.startsWith(`${country.toLowerCase()}_`))
