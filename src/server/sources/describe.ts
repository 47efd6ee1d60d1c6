import type { SourceTransaction } from '../../statements/statement.ts'
import type { CategoryKey } from '../simulation/categories.ts'
import { cleanName } from './clean-name.ts'
import { categoryOfCode } from './merchant-categories.ts'

/** What a text of a bank tells about its booking. */
export interface Described {
  /** The text without the marks of payment companies and numbers of terminals. */
  name: string
  /** Whether it was a merchant that was paid. */
  isMerchant: boolean
  category: CategoryKey
  /** How the category was found. */
  confidence: 'HIGH' | 'MEDIUM' | 'LOW'
}

/** The words in which banks write a merchant category code. */
const writtenCode = /\bMCC[: ]{0,2}(\d{4})\b/i

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
  const { name, isPayment } = cleanName(counterparty ?? description)
  const isOut = amount.startsWith('-')
  const code = references?.['mcc'] ?? writtenCode.exec(description)?.[1]
  const ofMerchant = categoryOfCode(code, isOut)
  const isMerchant = isPayment || (ofMerchant !== undefined && !ofMerchant.startsWith('TRANSFER_'))
  const told = { name, isMerchant }
  const sure = transaction.category ?? ofMerchant
  if (sure) return { ...told, category: sure, confidence: 'HIGH' }
  const texts = `${counterparty ?? ''} ${description}`
  const word = (isOut ? wordsOut : wordsIn).find(([pattern]) => pattern.test(texts))
  if (word) return { ...told, category: word[1], confidence: 'MEDIUM' }
  return { ...told, category: isOut ? 'OTHER_OTHER' : 'INCOME_OTHER', confidence: 'LOW' }
}
