import type { TransactionLocation } from '#contract/closed.ts'
import { type Day, toDate } from './calendar.ts'
import type { Profile } from './profile.ts'
import { referenceOf } from './profile.ts'

// Descriptions in the style of institutions: short, in capitals, and different in each country.

const inCapitals = (text: string): string => text.toUpperCase()

const dayFirst = (day: Day): string => toDate(day).split('-').reverse().join('-')

/** A purchase with a card. */
export function cardText(
  { country, town }: Profile,
  name: string,
  place: TransactionLocation | undefined,
  day: Day,
): string {
  const store = place?.store_number ? ` #${place.store_number}` : ''
  const where = place ? `${town.city} ${country === 'GB' ? 'GB' : town.region}` : 'ONLINE'
  const forms = {
    US: `${name}${store} ${where}`,
    GB: `CARD PAYMENT TO ${name} ${where} ON ${dayFirst(day)}`,
    CA: `POS PURCHASE ${name}${store} ${where}`,
  }
  return inCapitals(forms[country])
}

/** A payment that a company debits or the holder's bank sends for a bill. */
export function debitText(profile: Profile, name: string, purpose: string): string {
  const forms = {
    US: `${name} ${purpose} PPD ${referenceOf(profile, `${name}/ppd`)}`,
    GB: `DIRECT DEBIT TO ${name} REF ${referenceOf(profile, name)}`,
    CA: `PRE-AUTHORIZED DEBIT ${name} ${purpose}`,
  }
  return inCapitals(forms[profile.country])
}

/** A payment that another person sends to the holder. */
export function creditText(profile: Profile, name: string, purpose: string): string {
  const forms = {
    US: `${name} ${purpose} PPD ${referenceOf(profile, `${name}/ppd`)}`,
    GB: `BGC ${name} ${purpose} REF ${referenceOf(profile, name)}`,
    CA: `${purpose} DEPOSIT ${name}`,
  }
  return inCapitals(forms[profile.country])
}

/** A transfer between accounts of the holder. */
export function transferText(profile: Profile, direction: 'to' | 'from', other: string): string {
  const forms = {
    US: `ONLINE TRANSFER ${direction} ${other}`,
    GB: `${direction === 'to' ? 'FPO' : 'FPI'} TRANSFER ${direction} ${other}`,
    CA: `INTERNET BANKING TRANSFER ${direction} ${other}`,
  }
  return inCapitals(forms[profile.country])
}
