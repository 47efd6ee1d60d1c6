import type { PrimaryCategory } from '#contract/closed.ts'

/** The second edition of the list: the detailed values of each primary category. */
const details = {
  INCOME: [
    'CHILD_SUPPORT',
    'CONTRACTOR',
    'DIVIDENDS',
    'GIG_ECONOMY',
    'INTEREST_EARNED',
    'LONG_TERM_DISABILITY',
    'MILITARY',
    'OTHER',
    'RENTAL',
    'RETIREMENT_PENSION',
    'SALARY',
    'TAX_REFUND',
    'UNEMPLOYMENT',
  ],
  TRANSFER_IN: [
    'ACCOUNT_TRANSFER',
    'DEPOSIT',
    'OTHER_TRANSFER_IN',
    'SAVINGS',
    'TRANSFER_IN_FROM_APPS',
    'WIRE',
  ],
  TRANSFER_OUT: [
    'ACCOUNT_TRANSFER',
    'OTHER_TRANSFER_OUT',
    'SAVINGS',
    'TRANSFER_OUT_FROM_APPS',
    'WIRE',
    'WITHDRAWAL',
  ],
  LOAN_PAYMENTS: [
    'CAR_PAYMENT',
    'CREDIT_CARD_PAYMENT',
    'MORTGAGE_PAYMENT',
    'OTHER_PAYMENT',
    'PERSONAL_LOAN_PAYMENT',
    'STUDENT_LOAN_PAYMENT',
  ],
  LOAN_DISBURSEMENTS: ['AUTO', 'MORTGAGE', 'OTHER_DISBURSEMENT', 'PERSONAL', 'STUDENT'],
  BANK_FEES: [
    'ATM_FEES',
    'FOREIGN_TRANSACTION_FEES',
    'INSUFFICIENT_FUNDS',
    'INTEREST_CHARGE',
    'LATE_FEES',
    'OTHER_BANK_FEES',
    'OVERDRAFT_FEES',
  ],
  ENTERTAINMENT: ['MUSIC_AND_AUDIO', 'OTHER_ENTERTAINMENT', 'TV_AND_MOVIES', 'VIDEO_GAMES'],
  FOOD_AND_DRINK: [
    'BEER_WINE_AND_LIQUOR',
    'COFFEE',
    'FAST_FOOD',
    'GROCERIES',
    'OTHER_FOOD_AND_DRINK',
    'RESTAURANT',
  ],
  GENERAL_MERCHANDISE: [
    'BOOKSTORES_AND_NEWSSTANDS',
    'CLOTHING_AND_ACCESSORIES',
    'ELECTRONICS',
    'ONLINE_MARKETPLACES',
    'OTHER_GENERAL_MERCHANDISE',
    'PET_SUPPLIES',
    'SPORTING_GOODS',
  ],
  HOME_IMPROVEMENT: ['FURNITURE', 'HARDWARE', 'REPAIR_AND_MAINTENANCE'],
  MEDICAL: ['DENTAL_CARE', 'EYE_CARE', 'PHARMACIES_AND_SUPPLEMENTS', 'PRIMARY_CARE'],
  PERSONAL_CARE: ['GYMS_AND_FITNESS_CENTERS', 'HAIR_AND_BEAUTY', 'LAUNDRY_AND_DRY_CLEANING'],
  GENERAL_SERVICES: [
    'AUTOMOTIVE',
    'EDUCATION',
    'INSURANCE',
    'OTHER_GENERAL_SERVICES',
    'POSTAGE_AND_SHIPPING',
  ],
  GOVERNMENT_AND_NON_PROFIT: ['DONATIONS', 'GOVERNMENT_DEPARTMENTS_AND_AGENCIES', 'TAX_PAYMENT'],
  TRANSPORTATION: ['GAS', 'PARKING', 'PUBLIC_TRANSIT', 'TAXIS_AND_RIDE_SHARES', 'TOLLS'],
  TRAVEL: ['FLIGHTS', 'LODGING', 'OTHER_TRAVEL', 'RENTAL_CARS'],
  RENT_AND_UTILITIES: [
    'GAS_AND_ELECTRICITY',
    'INTERNET_AND_CABLE',
    'OTHER_UTILITIES',
    'RENT',
    'TELEPHONE',
    'WATER',
  ],
  OTHER: ['OTHER'],
} as const satisfies Record<PrimaryCategory, readonly string[]>

type Details = typeof details

/** A category's key is its detailed value in the second edition. */
export type CategoryKey = {
  [Primary in PrimaryCategory]: `${Primary}_${Details[Primary][number]}`
}[PrimaryCategory]

interface CategoryName {
  primary: PrimaryCategory
  detailed: string
}

/** The detailed value for categories that the first edition does not have. */
const firstEdition: Partial<Record<CategoryKey, string>> = {
  INCOME_CHILD_SUPPORT: 'INCOME_OTHER_INCOME',
  INCOME_CONTRACTOR: 'INCOME_WAGES',
  INCOME_GIG_ECONOMY: 'INCOME_WAGES',
  INCOME_LONG_TERM_DISABILITY: 'INCOME_OTHER_INCOME',
  INCOME_MILITARY: 'INCOME_WAGES',
  INCOME_OTHER: 'INCOME_OTHER_INCOME',
  INCOME_RENTAL: 'INCOME_OTHER_INCOME',
  INCOME_SALARY: 'INCOME_WAGES',
  TRANSFER_IN_TRANSFER_IN_FROM_APPS: 'TRANSFER_IN_ACCOUNT_TRANSFER',
  TRANSFER_IN_WIRE: 'TRANSFER_IN_OTHER_TRANSFER_IN',
  TRANSFER_OUT_TRANSFER_OUT_FROM_APPS: 'TRANSFER_OUT_ACCOUNT_TRANSFER',
  TRANSFER_OUT_WIRE: 'TRANSFER_OUT_OTHER_TRANSFER_OUT',
  BANK_FEES_LATE_FEES: 'BANK_FEES_OTHER_BANK_FEES',
  OTHER_OTHER: 'GENERAL_SERVICES_OTHER_GENERAL_SERVICES',
}

const disbursement = 'TRANSFER_IN_CASH_ADVANCES_AND_LOANS'

/** A detailed value starts with its primary one. */
function toName(detailed: string): CategoryName {
  const primary = Object.keys(details).find((name) => detailed.startsWith(`${name}_`))
  if (primary === undefined) throw new RangeError('No such category.')
  return { primary: primary as PrimaryCategory, detailed }
}

/** Every category, by its primary one. */
export const categoryKeys: readonly string[] = Object.entries(details).flatMap(([primary, names]) =>
  names.map((name) => `${primary}_${name}`),
)

/** The names of a category in both editions, and of its icon. */
export function categoryOf(key: CategoryKey): {
  v1: CategoryName
  v2: CategoryName
  icon: PrimaryCategory
} {
  const v2 = toName(key)
  const isDisbursement = v2.primary === 'LOAN_DISBURSEMENTS'
  const v1 = toName(isDisbursement ? disbursement : (firstEdition[key] ?? key))
  return { v1, v2, icon: v2.primary }
}

const confidenceLevels = ['VERY_HIGH', 'HIGH', 'MEDIUM', 'LOW', 'UNKNOWN'] as const
export type ConfidenceLevel = (typeof confidenceLevels)[number]
