import { expect, test } from 'vitest'
import type { Figures } from '../../scripts/bench/figures.ts'
import type { Throughput } from '../../scripts/bench/rounds.ts'
import { capacityTable, costsOf, modelFit, needOf } from '../../scripts/docs/capacity.ts'

const taken = { day: '2026-03-01', commit: 'abc1234', machine: '2 cores' }
const row = (id: Throughput['case'], cpu: number, database: number): Throughput => ({
  server: 'postgres',
  case: id,
  rate: 1000,
  cpu,
  database,
  p50: 1,
  p99: 2,
  bytes: 500,
  generator: 0.5,
})
const figures: Figures = {
  throughput: {
    taken,
    found: [
      { ...row('accountsGet', 230, 60), server: 'postgres-2', rate: 5000 },
      row('transactionsSync', 900, 200),
      row('accountsGet', 200, 50),
      row('userCreate', 400, 300),
    ],
    levels: [],
  },
  growth: {
    taken,
    rows: [],
    worlds: [{ engine: 'postgres', size: 1_000_000, megabytes: 2000, loadSeconds: 1 }],
  },
}

test('costs are the mean over the calls of a day', () => {
  const { service, database, bytes } = costsOf(figures) ?? {}
  expect(service).toBeCloseTo((4 * 700 + 2 * 150 + 100) / 7 / 1e6)
  expect(database).toBeCloseTo((4 * 200 + 2 * 50 + 300) / 7 / 1e6)
  expect(bytes).toBe(2000)
})

test('a need grows with the Items, and nodes with what fills them first', () => {
  const costs = { service: 1e-3, database: 1e-3, bytes: 2000 }
  const [small, large] = [needOf(1000, costs), needOf(10_000_000, costs)]
  expect(large.requests).toBeCloseTo(small.requests * 10_000)
  expect(large.terabytes).toBeCloseTo(33)
  expect([small.nodes, large.nodes]).toEqual([1, 9])
  expect(needOf(10_000_000, { ...costs, database: 0.1 }).nodes).toBe(13)
})

test('the model is held against what two processes have answered', () => {
  expect(modelFit(figures)).toBeCloseTo((5000 * 200) / 1e6 / 1.5)
})

test('nothing is told of what was not measured', () => {
  expect(capacityTable({})).toContain('have not been recorded')
  expect(capacityTable(figures)).toContain('| 1,000,000,000 |')
})
