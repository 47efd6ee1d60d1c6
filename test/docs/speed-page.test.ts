import { describe, expect, test } from 'vitest'
import type { Figures } from '../../scripts/bench/figures.ts'
import type { Throughput } from '../../scripts/bench/throughput.ts'
import { throughputLevels } from '../../scripts/bench/throughput-levels.ts'
import { barChart } from '../../scripts/docs/bar-chart.ts'
import { markdownOf } from '../../scripts/docs/markdown-version.ts'
import { speedPage } from '../../scripts/docs/speed-page.ts'

const taken = { day: '2026-03-01', commit: 'abc1234', machine: '2 cores' }
const about = (median: number) => ({ median, from: median - 0.01, to: median + 0.01, times: 10 })
const ratios = { rate: about(0.6), perCpu: about(0.5) }
const row = (server: Throughput['server'], rate: number): Throughput => ({
  server,
  case: 'walletGet',
  rate,
  cpu: 100,
  p50: 1,
  p99: 2,
  database: null,
  bytes: 500,
  generator: 0.5,
})
const found = [row('raw', 10_000), { ...row('sqlite', 6000), ofRaw: ratios, ofFloor: ratios }]
const figures: Figures = { throughput: { taken, found, levels: throughputLevels(found) } }

describe('the page on speed', () => {
  test('shows what was recorded, with when and where', () => {
    const text = markdownOf(speedPage(figures))
    expect(text).toContain('Measured on 2026-03-01 at commit abc1234, on 2 cores.')
    expect(text).toContain(
      '| operation | raw | sqlite |\n| --- | --- | --- |\n| `walletGet` | 10,000 | 6,000 |',
    )
    expect(text).toContain('| `walletGet` | sqlite | 0.50 (0.49 to 0.51) |')
    expect(text).toContain('A request on SQLite costs 2.0 to 2.0 times the CPU of the floor.')
    expect(text).toContain(
      '| walletGet on sqlite, × raw | **0.6 (0.59 to 0.61)** | ≥\u00a00.5 | ≥\u00a00.65 | reached |',
    )
    expect(text).not.toContain('## Webhooks')
  })

  test('begins with what the figures mean, and with how many levels were missed', () => {
    const coldStart = {
      taken,
      found: { empty: 100, service: 250, first: 900, times: 20 },
      levels: [],
    }
    const text = markdownOf(speedPage({ ...figures, coldStart }))
    expect(text).toContain('| 250 ms; 900 ms at the first start, which loads the seed data |')
    expect(text).toMatch(/: 1 of \d were reached on this machine, \d were missed/)
    expect(text.indexOf('## Summary')).toBeLessThan(text.indexOf('How it is measured'))
  })

  test('tells by how many µs a level was missed', () => {
    const rows = [{ ...row('floor', 9000), cpu: 33 }, ...found]
    const throughput = { taken, found: rows, levels: throughputLevels(rows) }
    const text = markdownOf(speedPage({ throughput }))
    // The level is 0.55 of the floor.
    expect(text).toContain('| `walletGet` | sqlite | 33 | 60 | 100 | 40 |')
    const fast = [
      { ...row('floor', 9000), cpu: 33 },
      { ...row('sqlite', 6000), ofFloor: { rate: about(1), perCpu: about(0.6) } },
    ]
    const reached = { taken, found: fast, levels: throughputLevels(fast) }
    expect(markdownOf(speedPage({ throughput: reached }))).not.toContain('that were missed, in')
  })

  test('shows this build beside an older one', () => {
    const ratio = { median: 0.9, from: 0.85, to: 0.95, times: 10 }
    const builds = {
      taken,
      found: {
        commit: 'old1234',
        rows: [{ server: 'sqlite', case: 'walletGet', before: 200.04, now: 180, ratio } as const],
        memory: [{ server: 'sqlite', before: 300, now: 210 } as const],
      },
      levels: [],
    }
    const shares = (name: string) => [{ name, share: 0.123 }]
    const profiles = {
      taken,
      found: {
        commit: 'old1234',
        rows: [
          { case: 'walletGet', build: 'before', shares: [...shares('a'), ...shares('b')] } as const,
          { case: 'walletGet', build: 'now', shares: shares('c') } as const,
        ],
      },
      levels: [],
    }
    const text = markdownOf(speedPage({ builds, profiles }))
    expect(text).toContain('| walletGet, µs of CPU | sqlite | 200 | 180 | 0.90 (0.85 to 0.95) |')
    expect(text).toContain('| memory after it, MB | sqlite | 300 | 210 |  |')
    expect(text).toContain('| walletGet, old1234 | walletGet, now |')
    expect(text).toContain('| 12.3 % a | 12.3 % c |\n| 12.3 % b |  |')
  })

  test('draws memory over time where it was recorded', () => {
    const series = [{ server: 'sqlite', everySeconds: 5, values: [100, 250, 200] } as const].map(
      (one) => ({ ...one, values: [...one.values] }),
    )
    const memory = { taken, found: { servers: [], series }, levels: [] }
    const [chart] = speedPage({ memory }).parts.flatMap((part) =>
      'template' in part ? [part.template] : [],
    )
    expect(chart).toContain('this service, SQLite, at most 250 MB')
    // The greatest value is the top of a plot of 180 pixels.
    expect(chart).toContain('points="0,108 500,0 1000,36"')
    expect(chart).toContain('level 220 MB')
  })

  test('shows what part of a core the load generator took', () => {
    const text = markdownOf(speedPage(figures))
    expect(text).toContain('| `walletGet` | 50 % | 50 % |')
  })

  test('shows growth beside its control, and what each set of seed data takes', () => {
    const cost = { engine: 'sqlite', p50: 1, p99: 2, isExcepted: false } as const
    const late = 'transactionsGet, halfway'
    const growth = {
      taken,
      rows: [
        { ...cost, size: 10_000, name: 'walletGet', cpu: 400.4, ratio: 1 },
        { ...cost, size: 10_000, name: late, cpu: 100, ratio: 1, isExcepted: true },
        { ...cost, size: 1_000_000, name: 'walletGet', cpu: 441.6, ratio: 1.1 },
      ],
      worlds: [
        { engine: 'sqlite', size: 10_000, megabytes: 30.4, loadSeconds: 1.2, memory: 90 },
        { engine: 'sqlite', size: 1_000_000, megabytes: 2653.4, loadSeconds: 21.6 },
      ] as const,
    }
    const text = markdownOf(speedPage({ growth: { ...growth, worlds: [...growth.worlds] } }))
    expect(text).toContain('Measured on 2026-03-01 at commit abc1234, on 2 cores.')
    expect(text).toContain(
      '| walletGet, which does not grow (control) | SQLite | 400 (1.00) | 442 (1.10) |',
    )
    expect(text).toContain(`| ${late} | SQLite | 100 (1.00, excepted) |  |`)
    expect(text).toContain('| SQLite | 10 k | 30 | 1 | 90 |\n| SQLite | 1 M | 2,653 | 22 |  |')
  })

  test('says so where nothing was recorded', () => {
    expect(markdownOf(speedPage({}))).toContain('No figures have been recorded')
  })

  test('has charts whose figures a screen reader can read', () => {
    const charts = speedPage(figures).parts.flatMap((part) =>
      'template' in part ? [part.template] : [],
    )
    expect(charts).toHaveLength(2)
    expect(charts[0]).toContain('aria-label="Requests a second of walletGet: raw node:http 10000')
    expect(charts[1]).toContain('walletGet: sqlite 0.5')
  })
})

describe('a chart of bars', () => {
  const bar = { label: 'a < b', value: 50, own: true, marks: [100] }
  const chart = barChart({ title: '"T"', width: 200, groups: [{ label: 'G', bars: [bar] }] })

  test('draws values and marks in the same measure', () => {
    expect(chart).toContain('width="15.5%"')
    expect(chart).toContain('<line x1="31%" x2="31%"')
  })

  test('takes nothing of a label for HTML', () => {
    expect(chart).toContain('a &lt; b')
    expect(chart).toContain('aria-label="&quot;T&quot;"')
  })
})
