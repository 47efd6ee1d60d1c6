import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { response } from '#contract/validators/transactionsSync.js'
import { currentVersion, generatedFolder, readBundle } from '../contract/contract.ts'
import { loadedBy } from './module-graph.ts'

// Holds the generated validators against Ajv as it comes, on one page of transactions, and tells how
// large they are. Usage: npm run measure:validators

type Check = (value: unknown) => boolean

const required = 4
const mostRaces = 5
const rounds = 200
const callsPerRound = 10
const contract = readBundle()

/** Ajv on the schema as the bundle has it. */
function stock(mode: 'full' | 'fast'): Check {
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv, { mode })
  ajv.addSchema({ $id: 'contract:', components: contract.components } as { $id: string })
  return ajv.getSchema('contract:#/components/schemas/TransactionsSyncResponse') as Check
}

interface Transaction {
  [field: string]: unknown
  counterparties: Record<string, unknown>[]
}

/** A page of 100 transactions, made of the examples; as parsed from the wire, no two alike. */
function makePage(): Record<string, unknown> {
  const example = contract.components.examples['transactionsSyncResponse']!.value as {
    added: Transaction[]
  }
  const added = Array.from({ length: 100 }, (_, index) => {
    return vary(example.added[index % example.added.length]!, index)
  })
  return JSON.parse(JSON.stringify({ ...example, added }))
}

function vary(transaction: Transaction, index: number): Transaction {
  const mark = String(index).padStart(3, '0')
  const [day, hour] = [
    String(1 + (index % 28)).padStart(2, '0'),
    String(index % 24).padStart(2, '0'),
  ]
  const logo = transaction['logo_url'] && `http://127.0.0.1:4000/logos/merchant-${mark}.png`
  return {
    ...transaction,
    transaction_id: `${String(transaction['transaction_id']).slice(0, -3)}${mark}`,
    amount: index + 0.25,
    name: `${transaction['name']} ${mark}`,
    date: `2026-03-${day}`,
    authorized_date: `2026-02-${day}`,
    datetime: transaction['datetime'] && `2026-03-${day}T${hour}:12:00Z`,
    authorized_datetime: transaction['authorized_datetime'] && `2026-02-${day}T${hour}:40:00Z`,
    logo_url: logo,
    counterparties: transaction.counterparties.map((party) => ({ ...party, logo_url: logo })),
  }
}

function shuffle<T>(items: T[]): T[] {
  return items
    .map((item) => ({ item, rank: Math.random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item)
}

const median = (numbers: number[]): number =>
  numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!

/** Milliseconds for one validation, by name; the contestants take turns in a new order each round. */
function race(checks: Record<string, Check>, page: unknown): Record<string, number> {
  const times = new Map(Object.keys(checks).map((name) => [name, [] as number[]]))
  for (let round = 0; round < rounds; round++) {
    for (const [name, check] of shuffle(Object.entries(checks))) {
      const start = performance.now()
      for (let call = 0; call < callsPerRound; call++) check(page)
      times.get(name)!.push((performance.now() - start) / callsPerRound)
    }
  }
  return Object.fromEntries([...times].map(([name, list]) => [name, median(list)]))
}

/** Nobody wins by not looking: all take the page, and refuse it with one transaction spoilt. */
function probe(checks: Record<string, Check>, page: Record<string, unknown>): void {
  const spoilt = structuredClone(page) as { added: Transaction[] }
  spoilt.added[99]!['date'] = '2026-02-30'
  for (const [name, check] of Object.entries(checks)) {
    if (!check(page)) throw new Error(`${name} refuses the page`)
    const isLenient = name.includes('fast')
    if (!isLenient && check(spoilt)) throw new Error(`${name} takes a spoilt page`)
  }
}

function measureSpeed(): number {
  const checks = {
    'stock Ajv, full formats': stock('full'),
    'stock Ajv, fast formats': stock('fast'),
    'generated validators': (value: unknown) => response.is(value),
  }
  const page = makePage()
  const times = race(checks, page)
  probe(checks, page)
  const slowest = times['stock Ajv, full formats']!
  console.log(`100 transactions, ${Math.round(JSON.stringify(page).length / 1000)} kB\n`)
  console.log(`${'validator'.padEnd(26)}${'per second'.padStart(12)}${'ratio'.padStart(8)}`)
  for (const [name, time] of Object.entries(times)) {
    const rate = Math.round(1000 / time).toLocaleString('en')
    console.log(`${name.padEnd(26)}${rate.padStart(12)}${(slowest / time).toFixed(2).padStart(8)}`)
  }
  return slowest / times['generated validators']!
}

function measureSizes(): void {
  const folder = join(generatedFolder(currentVersion), 'validators')
  const files = readdirSync(folder).filter((file) => file.endsWith('.js'))
  console.log(
    `\n${'file, with what it loads'.padEnd(34)}${'kB'.padStart(8)}${'gzipped'.padStart(10)}`,
  )
  for (const file of files) {
    const sources = loadedBy(join(folder, file)).map((loaded) => readFileSync(loaded))
    const sum = (sizes: number[]) => (sizes.reduce((a, b) => a + b, 0) / 1000).toFixed(1)
    const raw = sum(sources.map((source) => source.length))
    const zipped = sum(sources.map((source) => gzipSync(source).length))
    console.log(`${basename(file).padEnd(34)}${raw.padStart(8)}${zipped.padStart(10)}`)
  }
}

// On a machine with neighbours one race says little: who is fast enough wins one of a few.
let ratio = measureSpeed()
for (let race = 2; race <= mostRaces && ratio < required; race += 1) {
  console.log(`\nonce more, ${race} of ${mostRaces}\n`)
  ratio = measureSpeed()
}
measureSizes()
if (ratio < required) {
  console.error(`\nThe generated validators should be ${required} times as fast as stock Ajv.`)
  process.exitCode = 1
}
