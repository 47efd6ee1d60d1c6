import type {
  IdentityCreationResult,
  IdNumberType,
  UserAddressInput,
  UserIdentityInput,
  UserIdNumberInput,
} from '#contract/closed.ts'
import { isCountry } from '../kernel/countries.ts'
import { toDate } from '../kernel/time.ts'

const oldestAge = 130

/** What the numbers of some types look like; those of the others are letters and digits. */
const numberForms: Partial<Record<IdNumberType, { pattern: RegExp; expected: string }>> = {
  us_ssn: { pattern: /^\d{9}$/, expected: 'nine digits' },
  us_ssn_last_4: { pattern: /^\d{4}$/, expected: 'four digits' },
}
const anyNumber = { pattern: /^[A-Za-z0-9]{1,40}$/, expected: '1 to 40 letters and digits' }

const hasLetter = (text: string): boolean => /\p{L}/u.test(text)

/** What is wrong with an identity of the right form that cannot be right; undefined: nothing. */
export function findUnusable(identity: UserIdentityInput, now: string): string | undefined {
  return [
    ...nameProblems(identity),
    ...birthProblems(identity.date_of_birth, now),
    ...(identity.addresses ?? []).flatMap(addressProblems),
    ...(identity.id_numbers ?? []).flatMap(numberProblems),
  ][0]
}

function nameProblems({ name }: UserIdentityInput): string[] {
  const parts = Object.entries(name ?? {}).filter(([, value]) => value.trim() === '')
  return parts.map(([part]) => `\`identity.name.${part}\` must not be blank`)
}

function birthProblems(date: string | null | undefined, now: string): string[] {
  if (date == null) return []
  const today = toDate(now)
  const earliest = `${Number(today.slice(0, 4)) - oldestAge}${today.slice(4)}`
  if (date <= today && date >= earliest) return []
  return [`\`identity.date_of_birth\` must be a day in the past ${oldestAge} years`]
}

function addressProblems(address: UserAddressInput, index: number): string[] {
  const path = `identity.addresses[${index}]`
  const { street_1, city, country } = address
  const lines = Object.entries({ street_1, city }).filter(([, text]) => text && !hasLetter(text))
  return [
    ...lines.map(([field]) => `\`${path}.${field}\` must have a letter`),
    ...(isCountry(country) ? [] : [`\`${path}.country\` must be the code of a country`]),
  ]
}

function numberProblems(number: UserIdNumberInput | null, index: number): string[] {
  if (number === null) return []
  const { value, type, country_code } = number
  const path = `identity.id_numbers[${index}]`
  const { pattern, expected } = numberForms[type] ?? anyNumber
  const plain = value.replaceAll(/[\s./()-]/g, '')
  const country = type.slice(0, 2).toUpperCase()
  return [
    ...(pattern.test(plain) ? [] : [`\`${path}.value\` must be ${expected} for the type ${type}`]),
    ...(country_code === undefined || country_code === country
      ? []
      : [`\`${path}.country_code\` must be ${country} for the type ${type}`]),
  ]
}

const succeeded = { error_type: null, error_code: null, error_message: null }

/** Whether the identity of a new user was stored, as the response says it. */
export function toIdentityCreationResult(
  identity: UserIdentityInput | null | undefined,
  problem: string | undefined,
): IdentityCreationResult {
  if (!identity) return { result: 'NOT_PROVIDED', ...succeeded }
  if (problem === undefined) return { result: 'SUCCEEDED', ...succeeded }
  return {
    result: 'FAILED',
    error_type: 'INVALID_INPUT',
    error_code: 'INVALID_USER_IDENTITY_DATA',
    error_message: problem,
  }
}
