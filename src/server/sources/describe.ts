import type { SourceTransaction } from '../../statements/statement.ts'
import type { CategoryKey } from '../simulation/categories.ts'

/** What a text of a bank tells about its booking. */
export interface Described {
  /** The text without the marks of payment companies and numbers of terminals. */
  name: string
  category: CategoryKey
  /** How the category was found. */
  confidence: 'HIGH' | 'MEDIUM' | 'LOW'
}

/** Prefixes that payment companies put before the name of a merchant. */
const prefixes = /^(?:SQ|TST|SP|PP|PAYPAL|IZ|SUMUP|ZETTLE|CKE|EB|GOOGLE|APPLE PAY) ?\*+ ?/i
/** What terminals add after the name: card numbers, references, times of day. */
const suffixes =
  /(?: +(?:CARD ?\d{4}|X{2,}\d{3,}|\*\d{3,}|#\d{2,}|REF[: ]?\w+|\d{2}:\d{2}(?::\d{2})?|\d{7,}))+$/i

/** A text of a bank as people would say it. */
export function cleanName(text: string): string {
  const cleaned = text.replace(prefixes, '').replace(suffixes, '').trim()
  return cleaned === '' ? text : cleaned
}

/** What a merchant category code (ISO 18245) stands for, by ranges of codes. */
const merchantCategories: readonly (readonly [from: number, to: number, CategoryKey])[] = [
  [3000, 3350, 'TRAVEL_FLIGHTS'],
  [3351, 3500, 'TRAVEL_RENTAL_CARS'],
  [3501, 3999, 'TRAVEL_LODGING'],
  [4111, 4112, 'TRANSPORTATION_PUBLIC_TRANSIT'],
  [4121, 4121, 'TRANSPORTATION_TAXIS_AND_RIDE_SHARES'],
  [4511, 4511, 'TRAVEL_FLIGHTS'],
  [4784, 4784, 'TRANSPORTATION_TOLLS'],
  [4812, 4816, 'RENT_AND_UTILITIES_TELEPHONE'],
  [4899, 4899, 'RENT_AND_UTILITIES_INTERNET_AND_CABLE'],
  [4900, 4900, 'RENT_AND_UTILITIES_GAS_AND_ELECTRICITY'],
  [5200, 5251, 'HOME_IMPROVEMENT_HARDWARE'],
  [5310, 5399, 'GENERAL_MERCHANDISE_OTHER_GENERAL_MERCHANDISE'],
  [5411, 5499, 'FOOD_AND_DRINK_GROCERIES'],
  [5541, 5542, 'TRANSPORTATION_GAS'],
  [5611, 5699, 'GENERAL_MERCHANDISE_CLOTHING_AND_ACCESSORIES'],
  [5712, 5719, 'HOME_IMPROVEMENT_FURNITURE'],
  [5732, 5734, 'GENERAL_MERCHANDISE_ELECTRONICS'],
  [5811, 5812, 'FOOD_AND_DRINK_RESTAURANT'],
  [5813, 5813, 'FOOD_AND_DRINK_BEER_WINE_AND_LIQUOR'],
  [5814, 5814, 'FOOD_AND_DRINK_FAST_FOOD'],
  [5912, 5912, 'MEDICAL_PHARMACIES_AND_SUPPLEMENTS'],
  [5942, 5942, 'GENERAL_MERCHANDISE_BOOKSTORES_AND_NEWSSTANDS'],
  [5995, 5995, 'GENERAL_MERCHANDISE_PET_SUPPLIES'],
  [6010, 6011, 'TRANSFER_OUT_WITHDRAWAL'],
  [6300, 6300, 'GENERAL_SERVICES_INSURANCE'],
  [7011, 7011, 'TRAVEL_LODGING'],
  [7230, 7230, 'PERSONAL_CARE_HAIR_AND_BEAUTY'],
  [7512, 7513, 'TRAVEL_RENTAL_CARS'],
  [7523, 7523, 'TRANSPORTATION_PARKING'],
  [7832, 7841, 'ENTERTAINMENT_TV_AND_MOVIES'],
  [7997, 7997, 'PERSONAL_CARE_GYMS_AND_FITNESS_CENTERS'],
  [8011, 8011, 'MEDICAL_PRIMARY_CARE'],
  [8021, 8021, 'MEDICAL_DENTAL_CARE'],
  [8211, 8299, 'GENERAL_SERVICES_EDUCATION'],
  [8398, 8398, 'GOVERNMENT_AND_NON_PROFIT_DONATIONS'],
  [9311, 9311, 'GOVERNMENT_AND_NON_PROFIT_TAX_PAYMENT'],
]

/** Words of banks in several languages, by what they mean for money out of the account. */
const wordsOut: readonly (readonly [RegExp, CategoryKey])[] = [
  [/\b(?:salary|payroll)\b/i, 'TRANSFER_OUT_OTHER_TRANSFER_OUT'],
  [/\b(?:rent|miete|loyer|huur|alquiler)\b/i, 'RENT_AND_UTILITIES_RENT'],
  [
    /\b(?:atm|cash withdrawal|bargeld|geldautomat|retrait|geldopname)\b/i,
    'TRANSFER_OUT_WITHDRAWAL',
  ],
  [/\b(?:interest charge|sollzins\w*)\b/i, 'BANK_FEES_INTEREST_CHARGE'],
  [/\b(?:fee|fees|entgelt|geb(?:ü|ue)hr\w*|frais|kosten)\b/i, 'BANK_FEES_OTHER_BANK_FEES'],
  [/\b(?:mortgage|hypothek\w*)\b/i, 'LOAN_PAYMENTS_MORTGAGE_PAYMENT'],
  [/\b(?:groceries|grocery|supermarket|supermarkt|supermarch\w+)\b/i, 'FOOD_AND_DRINK_GROCERIES'],
  [/\b(?:restaurant|bistro|trattoria|pizzeria)\b/i, 'FOOD_AND_DRINK_RESTAURANT'],
  [/\b(?:coffee|caf(?:é|e))(?!\w)/i, 'FOOD_AND_DRINK_COFFEE'],
  [/\b(?:pharmacy|apotheke|pharmacie|apotheek)\b/i, 'MEDICAL_PHARMACIES_AND_SUPPLEMENTS'],
  [/\b(?:insurance|versicherung\w*|assurance|verzekering\w*)\b/i, 'GENERAL_SERVICES_INSURANCE'],
  [/\b(?:fuel|petrol|tankstelle|benzine)\b/i, 'TRANSPORTATION_GAS'],
  [/\b(?:parking|parken|parkhaus)\b/i, 'TRANSPORTATION_PARKING'],
  [/\b(?:taxi)\b/i, 'TRANSPORTATION_TAXIS_AND_RIDE_SHARES'],
  [/\b(?:electricity|strom|energie)\b/i, 'RENT_AND_UTILITIES_GAS_AND_ELECTRICITY'],
  [/\b(?:hotel|hostel)\b/i, 'TRAVEL_LODGING'],
  [/\b(?:gym|fitness)\b/i, 'PERSONAL_CARE_GYMS_AND_FITNESS_CENTERS'],
  [/\b(?:donation|spende)\b/i, 'GOVERNMENT_AND_NON_PROFIT_DONATIONS'],
  [/\b(?:tax|steuer|finanzamt|imp(?:ô|o)ts)\b/i, 'GOVERNMENT_AND_NON_PROFIT_TAX_PAYMENT'],
  [/\b(?:transfer|(?:ü|ue)berweisung|virement|overboeking)\b/i, 'TRANSFER_OUT_ACCOUNT_TRANSFER'],
]

const wordsIn: readonly (readonly [RegExp, CategoryKey])[] = [
  [/\b(?:salary|payroll|wages|gehalt|lohn|salaire|salaris)\b/i, 'INCOME_SALARY'],
  [/\b(?:pension|rente)\b/i, 'INCOME_RETIREMENT_PENSION'],
  [/\b(?:interest|habenzins\w*|zinsen)\b/i, 'INCOME_INTEREST_EARNED'],
  [/\b(?:dividend\w*)\b/i, 'INCOME_DIVIDENDS'],
  [/\b(?:tax refund|steuererstattung)\b/i, 'INCOME_TAX_REFUND'],
  [/\b(?:deposit|einzahlung)\b/i, 'TRANSFER_IN_DEPOSIT'],
  [/\b(?:transfer|(?:ü|ue)berweisung|virement|overboeking)\b/i, 'TRANSFER_IN_ACCOUNT_TRANSFER'],
]

/** A booking, and its category by the operator's own words. */
export type Categorized = SourceTransaction & { category?: CategoryKey }

/** The name and category of a booking, from what its bank wrote; the operator's words come first. */
export function describe(transaction: Categorized): Described {
  const { counterparty, description, references, amount } = transaction
  const name = cleanName(counterparty ?? description)
  if (transaction.category) return { name, category: transaction.category, confidence: 'HIGH' }
  const code = Number(references?.['mcc'])
  const known = merchantCategories.find(([from, to]) => from <= code && code <= to)
  if (known) return { name, category: known[2], confidence: 'HIGH' }
  const isOut = amount.startsWith('-')
  const texts = `${counterparty ?? ''} ${description}`
  const word = (isOut ? wordsOut : wordsIn).find(([pattern]) => pattern.test(texts))
  if (word) return { name, category: word[1], confidence: 'MEDIUM' }
  return { name, category: isOut ? 'OTHER_OTHER' : 'INCOME_OTHER', confidence: 'LOW' }
}
