import { writeFileSync } from 'node:fs'

// Institutions of invented names, as a large fixture has them.

const trees = 'Alder Brook Cedar Dune Elm Fern Gale Hollow Iris Juniper'.split(' ')
const sights = 'Bay Bridge Falls Field Ford Glen Grove Harbor Hill Point'.split(' ')
const kinds = ['Bank', 'Savings Bank', 'Credit Union', 'Trust', 'National Bank', 'Community Bank']
const products = ['assets', 'auth', 'balance', 'identity', 'liabilities', 'transactions']

/** Words of names: a whole one, the beginning of many, two words, and one that few have. */
export const directoryQueries = ['cedar harbor', 'jun', 'community', 'tidewater'] as const

/** Writes the fixture that the benchmark adds to the seed data. */
export function writeDirectory(file: string, length: number): void {
  const institutions = Array.from({ length }, (_, index) => ({
    institution_id: `ins_7${String(index).padStart(5, '0')}`,
    name: nameOf(index),
    products,
    country_codes: index % 4 === 3 ? ['US', 'CA'] : ['US'],
    oauth: index % 2 === 0,
  }))
  writeFileSync(file, JSON.stringify({ institutions }))
}

function nameOf(index: number): string {
  const [tree, sight] = [trees[index % 10], sights[Math.floor(index / 10) % 10]]
  const hundreds = Math.floor(index / 100)
  const district = Math.floor(hundreds / kinds.length) + 1
  return `${tree} ${sight} ${kinds[hundreds % kinds.length]} of District ${district}`
}
