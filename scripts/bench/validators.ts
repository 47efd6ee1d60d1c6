import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { response } from '#contract/validators/transactionsSync.js'
import { readBundle } from '../contract/contract.ts'
import { compare, type Level } from './levels.ts'
import { median, shuffle } from './statistics.ts'

// The generated validators beside Ajv as it comes, on one page of transactions.

/** How many pages of 100 transactions each validates a second. */
export interface Validators {
  generated: number
  /** Ajv with all formats, and with those that are less exact. */
  stock: number
  fast: number
}

const callsPerRound = 10

type Check = (value: unknown) => boolean

/** Measures all of them in each round, in a random order; the medians. */
export function measureValidators(rounds: number, tell: (line: string) => void): Validators {
  tell('validators')
  const checks: Record<keyof Validators, Check> = {
    generated: (value) => response.is(value),
    stock: stock('full'),
    fast: stock('fast'),
  }
  const page = makePage()
  probe(checks, page)
  const found = { generated: [], stock: [], fast: [] } as Record<keyof Validators, number[]>
  const names = Object.keys(checks) as (keyof Validators)[]
  for (let round = 0; round < rounds; round += 1) {
    for (const name of shuffle(names)) found[name].push(rateOf(checks[name], page))
  }
  return {
    generated: median(found.generated),
    stock: median(found.stock),
    fast: median(found.fast),
  }
}

/** What is aimed at is a ratio within one run; on another day or machine it is about the same. */
export const validatorLevels = ({ generated, stock }: Validators): Level[] =>
  compare('validators, × stock Ajv', generated, stock, { first: 4 })

function rateOf(check: Check, page: unknown): number {
  const begun = performance.now()
  for (let call = 0; call < callsPerRound; call += 1) check(page)
  return (callsPerRound * 1000) / (performance.now() - begun)
}

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

/** What takes the page and whatever is wrong with it would be fast: each has to look. */
function probe(checks: Record<keyof Validators, Check>, page: Record<string, unknown>): void {
  const spoilt = structuredClone(page) as { added: Transaction[] }
  spoilt.added[99]!['date'] = '2026-02-30'
  for (const [name, check] of Object.entries(checks)) {
    if (!check(page)) throw new Error(`validators: ${name} rejects the page`)
    // The less exact formats take any day up to 31.
    if (name !== 'fast' && check(spoilt)) throw new Error(`validators: ${name} takes a spoilt page`)
  }
}
