import { expect, test } from 'vitest'
import {
  type Growth,
  type GrowthRow,
  sizeName,
  tooMuch,
  toText,
} from '../../scripts/bench/growth-report.ts'

const row = (more: Partial<GrowthRow>): GrowthRow => ({
  engine: 'sqlite',
  size: 1_000_000,
  name: 'walletGet',
  isExcepted: false,
  cpu: 401.6,
  p50: 0.3,
  p99: 1.25,
  ratio: 1,
  ...more,
})

const growth = (...rows: GrowthRow[]): Growth => ({
  taken: { day: '2026-03-16', commit: 'abc', machine: 'two cores' },
  rows,
  worlds: [
    { engine: 'sqlite', size: 1_000_000, megabytes: 2653.4, loadSeconds: 21.6, memory: 120 },
  ],
})

test('what costs more than a fifth more is too much, unless it is excepted', () => {
  const dear = row({ ratio: 1.21, name: 'accountsGet' })
  const excepted = row({ ratio: 3, isExcepted: true })
  expect(tooMuch(growth(row({ ratio: 1.2 }), dear, excepted))).toEqual([dear])
  const unknown = row({ ratio: Number.NaN })
  expect(tooMuch(growth(unknown))).toEqual([unknown])
})

test('a row says what was measured, and whether it may', () => {
  const [, cheap, dear] = toText(growth(row({}), row({ ratio: 1.3 })))
    .split('\n')
    .slice(1)
  expect(cheap).toMatch(
    /^ {2}1 M +walletGet, which does not grow \(control\) +402 +0\.30 +1\.25 +1\.00$/,
  )
  expect(dear).toMatch(/1\.30 MISSED$/)
})

test('seed data says how large it is', () => {
  const lines = toText(growth(row({})))
  expect(lines).toContain('2653 MB on disk, loaded in 22 s; the service takes 120 MB of memory')
})

test('an engine that was not measured is left out', () => {
  expect(toText(growth(row({})))).not.toContain('PostgreSQL')
})

test.each([
  [10_000, '10 k'],
  [300_000, '300 k'],
  [10_000_000, '10 M'],
])('%i transactions are called %s', (size, name) => {
  expect(sizeName(size)).toBe(name)
})
