import type { AddressData, TransactionLocation } from '#contract/closed.ts'
import type { Random } from './random.ts'

export type Country = 'US' | 'GB' | 'CA'

export interface Town {
  city: string
  region: string
  postal_code: string
  country: Country
  lat: number
  lon: number
}

/** Fictitious towns in real regions. */
const towns: Record<Country, readonly Town[]> = {
  US: [
    ['Larkspur Falls', 'OR', '97031', 45.7082, -121.5281],
    ['Cedar Harbor', 'WA', '98229', 48.6912, -122.4703],
    ['Quillen Ridge', 'CO', '80135', 39.2804, -105.1927],
    ['Marrow Bay', 'ME', '04622', 44.6247, -67.8051],
  ].map(toTown('US')),
  GB: [
    ['Larkmoor', 'Norfolk', 'LF4 7QT', 52.6391, 0.9042],
    ['Saltwick St Mary', 'Devon', 'SX9 2BN', 50.7815, -3.8824],
    ['Hexley Bridge', 'Northumberland', 'HB3 8RD', 55.1027, -1.9418],
  ].map(toTown('GB')),
  CA: [
    ['Juniper Sound', 'BC', 'V0N 9K4', 49.6103, -124.0287],
    ['Maple Narrows', 'ON', 'K0L 8T2', 44.7219, -78.2406],
    ['Gull Haven', 'NS', 'B0J 7M6', 44.2958, -64.5133],
  ].map(toTown('CA')),
}

function toTown(country: Country) {
  return ([city, region, postal_code, lat, lon]: (string | number)[]): Town => ({
    city: String(city),
    region: String(region),
    postal_code: String(postal_code),
    country,
    lat: Number(lat),
    lon: Number(lon),
  })
}

const streets = [
  'Mill Street',
  'Juniper Lane',
  'Harbor Road',
  'Chapel Rise',
  'Orchard Way',
  'Station Road',
  'Weaver Street',
  'Old Ferry Road',
]

const toPlaces = (degrees: number): number => Math.round(degrees * 10_000) / 10_000

export const pickTown = (random: Random, country: Country): Town => random.pick(towns[country])

/** The address of a person in the town. */
export function homeIn(random: Random, town: Town): AddressData {
  const number = random.integer(2, 148)
  const flat = { US: `, Apt ${random.integer(1, 24)}`, GB: '', CA: '' }[town.country]
  return {
    street: `${number} ${random.pick(streets)}${random.chance(0.4) ? flat : ''}`,
    city: town.city,
    region: town.region,
    postal_code: town.postal_code,
    country: town.country,
  }
}

/** The address of a company's branch in the town. */
export function branchIn(random: Random, town: Town, chain: boolean): TransactionLocation {
  return {
    address: `${random.integer(1, 320)} ${random.pick(streets)}`,
    city: town.city,
    region: town.region,
    postal_code: town.postal_code,
    country: town.country,
    lat: toPlaces(town.lat + random.integer(-200, 200) / 10_000),
    lon: toPlaces(town.lon + random.integer(-200, 200) / 10_000),
    store_number: chain ? String(random.integer(2, 980)) : null,
  }
}

export const nowhere: TransactionLocation = {
  address: null,
  city: null,
  region: null,
  postal_code: null,
  country: null,
  lat: null,
  lon: null,
  store_number: null,
}
