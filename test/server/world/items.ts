import { currentVersion, readBundle } from '../../../scripts/contract/contract.ts'
import { compilerOf, type FormCompiler } from '../../../src/contract/form-compiler.ts'
import type {
  AccountSpec,
  ItemSpec,
  TransactionSpec,
} from '../../../src/server/simulation/item-spec.ts'

export const anchor = '2026-03-16'
export const countries = ['US', 'GB', 'CA'] as const
export const publicUrl = 'http://127.0.0.1:4000'

const contract = readBundle(currentVersion)
const compiler = compilerOf(currentVersion, 'exact')

/** The example that the contract gives of a schema. */
export function exampleOf(schema: string): Record<string, unknown> {
  const { examples } = contract.components.schemas[schema]!
  return (examples as Record<string, unknown>[])[0]!
}

const compiled = new Map<string, ReturnType<FormCompiler['compile']>>()

/** What the exact form of a schema has against a value. */
export function objectionsTo(schema: string, value: unknown): unknown {
  const known = compiled.get(schema)
  const validate = known ?? compiler.compile({ $ref: `#/components/schemas/${schema}` })
  compiled.set(schema, validate)
  return validate(value) ? [] : validate.errors
}

export function accountOf(item: ItemSpec, subtype: string): AccountSpec {
  const found = item.accounts.find((account) => account.subtype === subtype)
  if (!found) throw new Error(`There is no ${subtype} account.`)
  return found
}

export const allOf = (item: ItemSpec): TransactionSpec[] =>
  item.accounts.flatMap(({ transactions }) => transactions)

export const cents = (amount: number | null): number => Math.round((amount ?? 0) * 100)

export const sumOf = (transactions: readonly { amount: number }[]): number =>
  transactions.reduce((sum, { amount }) => sum + cents(amount), 0)

export const dayAfter = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10)

export const daysFrom = (date: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => dayAfter(date, index + 1))

export const isWeekend = (date: string): boolean => new Date(date).getUTCDay() % 6 === 0
