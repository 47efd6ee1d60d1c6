import type { CounterpartyType } from '#contract/closed.ts'
import type { ConfidenceLevel } from './categories.ts'
import type { CounterpartySpec } from './item-spec.ts'
import { idFrom } from './random.ts'

/** A business that the service may have recognized. All of them are fictitious. */
export interface Company {
  name: string
  type: CounterpartyType
  entity_id: string | null
  website: string | null
  logo: string | null
  confidence: ConfidenceLevel
}

/** Companies in the contract's examples have the ids that the examples show. */
const knownIds: Record<string, string> = {
  oakmarket: '9cb5yqQ65Cz5cnpRyBfHAyUBUWj8MyKs9LUfp',
  'kettle-fern': 'XrV7sNf2LQp8kGyTd4BwmHc9ZaJ5uEoKi3MxR',
  'saltmarsh-diner': 'LmZ4vRb8TyXc2WqJn6KsGd9HpF3uEa7oBi5Nx',
  fernpay: 'Hd6RtMx2WqKs8VzLn4JyPb9GcF3uTa5oEi7Bx',
}

export const toSlug = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

/** A company is the same in every Item, so its id does not depend on the Item's seed. */
const entityId = (slug: string): string => knownIds[slug] ?? idFrom('company', slug, 'opaque')

/** A company with a website and a logo. */
export function brand(name: string, type: CounterpartyType = 'merchant'): Company {
  const slug = toSlug(name)
  return {
    name,
    type,
    entity_id: entityId(slug),
    website: `https://${slug}.example`,
    logo: slug,
    confidence: 'VERY_HIGH',
  }
}

/** A recognized company without website and logo. */
export function local(name: string): Company {
  const entity_id = entityId(toSlug(name))
  return { name, type: 'merchant', entity_id, website: null, logo: null, confidence: 'HIGH' }
}

/** A counterparty of whom only the name is known. */
export const unknown = (
  name: string,
  type: CounterpartyType,
  confidence: ConfidenceLevel = 'MEDIUM',
): Company => ({ name, type, entity_id: null, website: null, logo: null, confidence })

export const toCounterpartySpec = (company: Company): CounterpartySpec => ({
  name: company.name,
  type: company.type,
  entity_id: company.entity_id,
  website: company.website,
  logo: company.logo,
  confidence_level: company.confidence,
})

export const employers = [
  'Northfold Design',
  'Alder & Pike Logistics',
  'Brightquay Software',
  'Copperline Engineering',
  'Merrow Valley Hospital',
  'Stonebridge Schools Trust',
].map((name) => unknown(name, 'income_source', 'HIGH'))

export const paymentApp = brand('Fernpay', 'payment_app')
export const energy = ['Emberline Energy', 'Valebrook Power'].map((name) => brand(name))
export const water = ['Clearwell Water', 'Millrace Water'].map((name) => local(name))
export const internet = ['Kestrel Broadband', 'Loomfiber'].map((name) => brand(name))
export const telephone = ['Larkline Mobile', 'Pebble Mobile'].map((name) => brand(name))
export const carInsurers = ['Hearthstone Mutual', 'Greyfriar Insurance'].map((name) => brand(name))
export const charities = ['Open Meadow Trust', 'Harbor Food Bank'].map((name) => local(name))
export const tradespeople = ['Bramble & Sons Plumbing', 'Ashdown Chimney Care', 'Rook Lane Gardens']
export const mortgageServicers = ['Cornerstead Home Loans', 'Linden Hearth Mortgage'].map((name) =>
  brand(name, 'financial_institution'),
)
export const studentServicers = ['Campuswell Loan Servicing', 'Scholarbridge'].map((name) =>
  brand(name, 'financial_institution'),
)
export const council = unknown('Larkmoor Borough Council', 'merchant', 'HIGH')

/** The purchases that use up the savings every half year. */
export const treats = [
  { category: 'TRAVEL_OTHER_TRAVEL', company: brand('Lantern & Lark Holidays') },
  { category: 'HOME_IMPROVEMENT_FURNITURE', company: brand('Birchwick Furniture') },
  {
    category: 'HOME_IMPROVEMENT_REPAIR_AND_MAINTENANCE',
    company: local('Tallow & Tile Interiors'),
  },
] as const

/** Subscriptions, each with its price in minor units. */
export const subscriptions = [
  { category: 'ENTERTAINMENT_TV_AND_MOVIES', company: brand('Moonreel'), cents: 1599 },
  { category: 'ENTERTAINMENT_MUSIC_AND_AUDIO', company: brand('Tunewell'), cents: 1099 },
  { category: 'GENERAL_SERVICES_OTHER_GENERAL_SERVICES', company: brand('Cloudloft'), cents: 299 },
  {
    category: 'PERSONAL_CARE_GYMS_AND_FITNESS_CENTERS',
    company: brand('Ironbell Gym'),
    cents: 3900,
  },
  {
    category: 'GENERAL_MERCHANDISE_BOOKSTORES_AND_NEWSSTANDS',
    company: brand('The Harbor Ledger'),
    cents: 800,
  },
  { category: 'ENTERTAINMENT_VIDEO_GAMES', company: brand('Questhollow'), cents: 999 },
] as const
