import { writeFileSync } from 'node:fs'

// Twelve thousand institutions of invented names, as a world of one's own would have them.

export const directorySize = 12_000

const places = [
  'Alder',
  'Brook',
  'Cedar',
  'Dune',
  'Elm',
  'Fern',
  'Gale',
  'Hollow',
  'Iris',
  'Juniper',
]
const sights = [
  'Bay',
  'Bridge',
  'Falls',
  'Field',
  'Ford',
  'Glen',
  'Grove',
  'Harbor',
  'Hill',
  'Point',
]
const kinds = ['Bank', 'Savings Bank', 'Credit Union', 'Trust', 'National Bank', 'Community Bank']
const products = ['assets', 'auth', 'balance', 'identity', 'liabilities', 'transactions']

/** Words of names: a whole one, the beginning of many, two words, and one that few have. */
export const directoryQueries = ['cedar harbor', 'jun', 'community', 'tidewater'] as const

/** Writes the world that the benchmark lays over the default one. */
export function writeDirectory(file: string): void {
  const institutions = Array.from({ length: directorySize }, (_, index) => ({
    institution_id: `ins_7${String(index).padStart(5, '0')}`,
    name: nameOf(index),
    products,
    country_codes: index % 4 === 3 ? ['US', 'CA'] : ['US'],
    oauth: index % 2 === 0,
  }))
  writeFileSync(file, JSON.stringify({ institutions }))
}

function nameOf(index: number): string {
  const pick = (list: readonly string[], step: number) =>
    list[Math.floor(index / step) % list.length]
  const branch = Math.floor(index / (places.length * sights.length * kinds.length)) + 1
  return `${pick(places, 1)} ${pick(sights, 10)} ${pick(kinds, 100)} of District ${branch}`
}
