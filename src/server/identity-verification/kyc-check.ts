import type {
  IdentityVerificationAddress,
  KycAddress,
  KycCheck,
  MatchSummary,
} from '#contract/closed.ts'
import type { StepState } from './step.ts'
import type { Subject } from './subject.ts'

/** How the user's data compares with the records: those of a failed check belong to another. */
export function toKycCheck({ user }: Subject, step: StepState): KycCheck {
  const result: MatchSummary = step.found === 'failed' ? 'no_match' : 'match'
  const compared = (given: unknown, summary: MatchSummary): MatchSummary =>
    given === null ? 'no_input' : summary
  const name = compared(user.name, 'match')
  const birth = compared(user.date_of_birth, result)
  const phone = compared(user.phone_number, 'match')
  return {
    status: step.status,
    address: toKycAddress(user.address, result),
    name: { summary: name, given_name: name, family_name: name },
    date_of_birth: { summary: birth, day: birth, month: birth, year: birth },
    id_number: { summary: compared(user.id_number, result) },
    phone_number: { summary: phone, area_code: phone },
  }
}

function toKycAddress(
  address: IdentityVerificationAddress | null,
  result: MatchSummary,
): KycAddress {
  const given = (part: string | null | undefined, summary: MatchSummary): MatchSummary =>
    part == null ? 'no_input' : summary
  const street = address?.street ?? null
  return {
    summary: given(street, result),
    po_box: street === null ? 'no_data' : isBox(street) ? 'yes' : 'no',
    type: street === null || isBox(street) ? 'no_data' : 'residential',
    street: given(street, result),
    city: given(address?.city, 'match'),
    region: given(address?.region, 'match'),
    postal_code: given(address?.postal_code, result),
    international_details:
      street === null || address?.country === 'US'
        ? null
        : {
            building: 'no_data',
            county: 'no_data',
            district: 'no_data',
            house_number: result,
            subpremise: given(address?.street2, result),
            thoroughfare: result,
          },
  }
}

const isBox = (street: string): boolean => /\bp\.?\s*o\.?\s*box\b/i.test(street)
