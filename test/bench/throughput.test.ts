import { describe, expect, test } from 'vitest'
import { cases } from '../../scripts/bench/cases.ts'
import type { Target } from '../../scripts/bench/rounds.ts'
import type { Load, Sent } from '../../scripts/bench/send.ts'
import type { ServerName } from '../../scripts/bench/server-names.ts'
import { measureThroughput, type Throughput } from '../../scripts/bench/throughput.ts'

/** Requests for a second of CPU on a machine at full speed, by server; each uses one whole core. */
const rates: Partial<Record<ServerName, number>> = {
  raw: 10_000,
  floor: 8000,
  sqlite: 4000,
  postgres: 2000,
  'postgres-2': 1600,
  prism: 100,
}

/** Measures servers that are not there, on a machine whose speed at the n-th measurement is given. */
async function measureAt(speedOf: (count: number) => number, pairs: number): Promise<Throughput[]> {
  const names = Object.keys(rates) as ServerName[]
  const used = new Map<number, number>()
  let count = 0
  const sendTo = async ({ urls: [url = ''], seconds }: Load): Promise<Sent> => {
    const pid = Number(url)
    const rate = (rates[names[pid] ?? 'raw'] ?? 0) * speedOf(count)
    count += 1
    used.set(pid, (used.get(pid) ?? 0) + seconds)
    const sent = rate * seconds
    const times = { p50: 1, p99: 2, cpu: seconds / 2 }
    return { sent, statuses: { 200: sent }, failed: 0, errors: [], seconds, bytes: sent, ...times }
  }
  const targets = names.map((name, pid): Target => {
    const program = { url: String(pid), pid, greeting: '', stop: async () => {} }
    const cpu = async () => new Map([[pid, used.get(pid) ?? 0]])
    const [first] = cases as [(typeof cases)[number]]
    const server = { name, programs: [program], cpu }
    return { name, server, case: first, requests: async () => [], finish: async () => {} }
  })
  const generator = { send: sendTo, stop: async () => {} }
  return measureThroughput(targets, generator, { pairs, seconds: 1, warmUp: 1 }, () => {})
}

const of = (rows: readonly Throughput[], name: ServerName) =>
  rows.find(({ server }) => server === name)

describe('throughput', () => {
  test('is compared with raw and the floor by rate and by CPU', async () => {
    const rows = await measureAt(() => 1, 2)
    const sqlite = of(rows, 'sqlite')
    expect(sqlite).toMatchObject({ rate: 4000, cpu: 250, database: 0, generator: 0.5 })
    expect(sqlite?.ofFloor?.rate).toEqual({ median: 0.5, from: 0.5, to: 0.5, times: 2 })
    expect(sqlite?.ofFloor?.perCpu?.median).toBeCloseTo(0.5)
    expect(sqlite?.ofRaw?.perCpu?.median).toBeCloseTo(0.4)
    expect(of(rows, 'postgres-2')?.ofOne?.median).toBeCloseTo(1.25)
    expect(of(rows, 'raw')?.ofRaw).toBeUndefined()
  })

  test('shows the same ratios on a machine that slows down meanwhile', async () => {
    const steady = await measureAt(() => 1, 3)
    const slowing = await measureAt((count) => 1 / (1 + count / 100), 3)
    const ratio = (rows: Throughput[]) => of(rows, 'sqlite')?.ofFloor?.perCpu?.median ?? 0
    expect(of(slowing, 'sqlite')?.rate).toBeLessThan(0.9 * (of(steady, 'sqlite')?.rate ?? 0))
    expect(ratio(slowing) / ratio(steady)).toBeCloseTo(1, 1)
  })

  test('of a mock is measured a few times only', async () => {
    const rows = await measureAt(() => 1, 5)
    expect(of(rows, 'prism')?.ofRaw?.rate.times).toBe(2)
    expect(of(rows, 'postgres')?.ofRaw?.rate.times).toBe(5)
  })
})
