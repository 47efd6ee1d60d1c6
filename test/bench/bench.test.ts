import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readOlder } from '../../scripts/bench/builds.ts'
import { cases, requestsOf } from '../../scripts/bench/cases.ts'
import {
  latencyOf,
  longSections,
  readChoices,
  readOnly,
  sections,
} from '../../scripts/bench/choices.ts'
import { cpuBetween, secondsIn } from '../../scripts/bench/cpu.ts'
import { latencyCases, latencyServers } from '../../scripts/bench/latency.ts'
import { compare, compareSpread, judge, showValue } from '../../scripts/bench/levels.ts'
import { startProgram } from '../../scripts/bench/processes.ts'
import { openInspector, profileAt, sharesOf } from '../../scripts/bench/profile.ts'
import { toTable } from '../../scripts/bench/report.ts'
import type { ServerName } from '../../scripts/bench/server-names.ts'
import { median, percentile, shuffle, spreadOf } from '../../scripts/bench/statistics.ts'
import type { Throughput } from '../../scripts/bench/throughput.ts'
import { throughputLevels } from '../../scripts/bench/throughput-levels.ts'
import { measureValidators, validatorLevels } from '../../scripts/bench/validators.ts'
import { watchMemory } from '../../scripts/bench/watch-memory.ts'
import { versions } from '../../scripts/contract/contract.ts'

const row = (server: ServerName, rate: number, more: Partial<Throughput> = {}): Throughput => ({
  server,
  case: 'walletGet',
  rate,
  cpu: 100,
  p50: 1,
  p99: 2,
  database: null,
  bytes: 500,
  generator: 0.5,
  ...more,
})

/** A ratio that was measured often enough to be nearly exact. */
const about = (median: number) => ({ median, from: median - 0.01, to: median + 0.01, times: 100 })

describe('figures of the benchmark', () => {
  test('are medians of the rounds', () => {
    expect(median([9, 1, 5])).toBe(5)
    expect(median([4, 1, 2, 9])).toBe(3)
    expect(median([])).toBeNaN()
  })

  test('name a percentile that was measured', () => {
    const values = Array.from({ length: 200 }, (_, index) => 200 - index)
    expect(percentile(values, 0.99)).toBe(198)
    expect(percentile(values, 0.5)).toBe(100)
    expect(percentile([7], 0.99)).toBe(7)
  })

  test('are taken in an order of chance that leaves nothing out', () => {
    const ordered = [1, 2, 3, 4, 5]
    expect(shuffle(ordered, () => 0.99)).toEqual([5, 4, 3, 2, 1])
    expect(shuffle(ordered).toSorted()).toEqual(ordered)
  })

  test('count user and system time, whatever a program is called', () => {
    const line = '7 (a (b) c) S 1 7 7 0 -1 4194560 100 0 0 0 150 50 3 4 20 0 1 0 9 9 9'
    expect(secondsIn(line)).toBe(2)
  })

  test('count a process that came meanwhile from its begin, and none that has gone', () => {
    const before = new Map([
      [1, 10],
      [2, 5],
    ])
    const after = new Map([
      [1, 12],
      [3, 0.5],
    ])
    expect(cpuBetween(before, after)).toBe(2.5)
    expect(cpuBetween(undefined, after)).toBeUndefined()
  })

  test('have an interval that leaves out as few values as chance demands', () => {
    const counted = (times: number) => {
      const { from, to } = spreadOf(Array.from({ length: times }, (_, index) => times - index))
      return [from, to]
    }
    // The ranks that tables of the sign test give for 95 %.
    expect([1, 6, 8, 9, 10, 12, 20, 25].map(counted)).toEqual([
      ...[1, 6, 8].map((times) => [1, times]),
      ...[
        [2, 8],
        [2, 9],
        [3, 10],
        [6, 15],
        [8, 18],
      ],
    ])
    expect(spreadOf([3, 1, 2])).toEqual({ median: 2, from: 1, to: 3, times: 3 })
    expect(spreadOf([]).median).toBeNaN()
  })

  test('make a table with numbers to the right', () => {
    const rows = [
      ['raw', 12_000],
      ['sqlite', 9.5],
    ]
    expect(toTable(['name', 'req/s'], rows)).toBe('name     req/s\nraw     12,000\nsqlite     9.5')
  })
})

describe('levels', () => {
  const level = { what: '', first: 0.5, second: 0.65 }
  const limit = { what: '', first: 1.2, atMost: true }

  test('are reached from their limit on', () => {
    expect([0.49, 0.5, 0.65].map((value) => judge({ ...level, value }))).toEqual([
      'missed',
      'reached',
      'aim reached',
    ])
    expect([1.2, 1.21].map((value) => judge({ ...limit, value }))).toEqual(['reached', 'missed'])
  })

  test('are judged and shown without rounding to the limit', () => {
    const limits = { first: 0.5, second: 0.65 }
    const [low] = compare('', 4960, 10_000, limits)
    const [high] = compare('', 120.4, 100, { first: 1.2, atMost: true })
    expect([low, high].map((one) => one && [judge(one), showValue(one)])).toEqual([
      ['missed', '0.496'],
      ['missed', '1.204'],
    ])
  })

  test('are reached by a whole interval only', () => {
    const [wide] = compareSpread('', { median: 0.6, from: 0.49, to: 0.7, times: 10 }, level)
    const [narrow] = compareSpread('', { median: 0.6, from: 0.58, to: 0.66, times: 10 }, level)
    const [above] = compareSpread('', { median: 1.1, from: 1, to: 1.3, times: 10 }, limit)
    expect([wide, narrow, above].map((one) => one && [judge(one), showValue(one)])).toEqual([
      ['missed', '0.6 (0.49 to 0.7)'],
      ['reached', '0.6 (0.58 to 0.66)'],
      ['missed', '1.1 (1 to 1.3)'],
    ])
  })

  test('are missed by what was no number', () => {
    expect(judge({ ...level, value: Number.NaN })).toBe('missed')
    expect(judge({ ...limit, value: Number.NaN })).toBe('missed')
  })

  test('come of what was measured', () => {
    const ofFloor = (part: number) => ({ rate: about(1), perCpu: about(part) })
    const rows = [
      row('raw', 10_000),
      row('sqlite', 6000, { ofRaw: { rate: about(0.6) }, ofFloor: ofFloor(0.5) }),
      row('postgres', 3000, { ofRaw: { rate: about(0.3) }, ofFloor: ofFloor(0.45) }),
      row('postgres-2', 3000, { ofOne: about(1.1) }),
      row('prism', 500),
    ]
    const found = throughputLevels(rows).map((one) => [one.what, one.value, judge(one)])
    expect(found).toEqual([
      ['walletGet on sqlite, for a second of CPU, × floor', 0.5, 'missed'],
      ['walletGet on sqlite, × raw', 0.6, 'reached'],
      ['walletGet on postgres, for a second of CPU, × floor', 0.45, 'reached'],
      ['walletGet on postgres, × raw', 0.3, 'missed'],
      ['walletGet on sqlite, × Prism', 12, 'reached'],
      ['walletGet, CPU of two processes, × one', 1.1, 'reached'],
    ])
    expect(throughputLevels([row('sqlite', 6000)])).toEqual([])
  })
})

test('validators are judged by their ratio to Ajv within one run', () => {
  const found = measureValidators(1, () => {})
  const [level] = validatorLevels({ generated: 4200, stock: 1000, fast: 1500 })
  expect(Object.values(found).every((rate) => rate > 0)).toBe(true)
  expect(level && [level.value, judge(level)]).toEqual([4.2, 'reached'])
})

describe('options of the benchmark', () => {
  test('leave in what does not take minutes by itself where nothing is named', () => {
    const { sections: usual } = readOnly('')
    expect([...usual, ...longSections].toSorted()).toEqual([...sections].toSorted())
    expect(readOnly('').cases).toHaveLength(cases.length)
  })

  test('mean throughput by names of servers and operations', () => {
    expect(readOnly('sqlite,walletGet')).toEqual({
      sections: ['throughput'],
      servers: ['sqlite'],
      cases: ['walletGet'],
    })
    expect(readOnly('latency,sqlite').sections).toEqual(['latency'])
  })

  test('restrict latency as they do throughput', () => {
    expect(latencyOf(readOnly('latency,walletGet'))).toEqual([latencyServers, ['walletGet']])
    expect(latencyOf(readOnly('latency,sqlite'))).toEqual([['raw', 'sqlite'], latencyCases])
    expect(() => readOnly('latency,oauthToken')).toThrow('--only: latency is measured of')
    expect(() => readOnly('latency,prism')).toThrow('--only: latency is measured of')
  })

  test('keep nothing that was measured in part', () => {
    expect(readChoices(['--record', '--only', 'latency']).record).toBe(true)
    const partly = [['--quick'], ['--only', 'walletGet'], ['--only', 'latency,sqlite']]
    for (const args of partly) {
      expect(() => readChoices(['--record', ...args])).toThrow(/^--record: .+$/)
    }
  })

  test('are rejected in one line where they are unknown', () => {
    expect(() => readOnly('walletGet,walletgat')).toThrow('--only: there is no walletgat')
    expect(() => readChoices(['--only', 'a,b'])).toThrow(/^.+$/)
    for (const pairs of ['0', '100', 'x', '1.5', '']) {
      expect(() => readChoices([`--pairs=${pairs}`])).toThrow(
        '--pairs: expected a whole number from 1 to 99',
      )
    }
    for (const seconds of ['0', '0.0', '0.05', '.5', '100', '1e3', '']) {
      expect(() => readChoices([`--seconds=${seconds}`])).toThrow(
        '--seconds: expected a number from 0.1 to 99.9',
      )
    }
    expect(readChoices(['--seconds', '0.1']).pace.seconds).toBe(0.1)
    expect(readChoices(['--seconds', '10']).pace.seconds).toBe(10)
    expect(() => readChoices(['--json='])).toThrow('--json: no file is named')
    expect(() => readChoices(['--fast'])).toThrow('--fast')
  })

  test('are rejected where they would fail after minutes, or name nothing', () => {
    expect(() => readChoices(['--only', ','])).toThrow('--only: nothing is named')
    expect(() => readChoices(['--engines', 'sqlite'])).toThrow('--engines: only with --growth')
    expect(() => readChoices(['--sizes', '10'])).toThrow('--sizes: only with --growth')
    const growth = (...args: string[]) => readChoices(['--growth', ...args]).growthOf
    for (const args of ['--only=sqlite', '--quick', '--pairs=2', '--seconds=1']) {
      expect(() => growth(args)).toThrow(/^--\w+: not with --growth$/)
    }
    expect(() => growth('--engines', 'mysql')).toThrow('--engines: there is no mysql')
    for (const sizes of ['abc', '', '20000,5000', '20000,20000', '1e4', '-1', '20000,', '300']) {
      expect(() => growth(`--sizes=${sizes}`)).toThrow(/^--sizes: .+$/)
    }
    expect(growth('--sizes', '2000,20000')).toEqual({
      engines: ['sqlite', 'postgres'],
      sizes: [2000, 20_000],
    })
    expect(growth('--engines', 'postgres').engines).toEqual(['postgres'])
  })

  test('compare builds only with one to compare with', () => {
    const reason = /^builds are compared by .+$/
    expect(() => readChoices(['--only', 'builds'])).toThrow(reason)
    expect(() => readChoices(['--before', '.'])).toThrow(reason)
    expect(readChoices(['--only', 'builds', '--before', '.']).choice.sections).toEqual(['builds'])
    expect(() => readOlder('test')).toThrow('--before: there is no build in test/dist')
  })

  test('make a quick run short', () => {
    expect(readChoices(['--quick']).pace).toMatchObject({ pairs: 1, seconds: 0.2 })
    expect(readChoices(['--quick']).choice.cases).toHaveLength(4)
    expect(readChoices(['--quick']).choice.sections).not.toContain('project')
    expect(readChoices(['--quick', '--only', 'userCreate']).choice.cases).toEqual(['userCreate'])
    expect(readChoices(['--quick', '--pairs', '2']).pace.pairs).toBe(2)
  })
})

test('a profile counts the time with work alone, by function', () => {
  const frame = (functionName: string, url = '') => ({ functionName, url })
  const shares = sharesOf({
    nodes: [
      { id: 1, callFrame: frame('(idle)') },
      { id: 2, callFrame: frame('writev', 'node:net') },
      { id: 3, callFrame: frame('(garbage collector)') },
      { id: 4, callFrame: frame('writev', 'node:net') },
      { id: 5, callFrame: frame('', 'file:///service.js') },
    ],
    samples: [1, 2, 3, 4, 5],
    // The first is the time before the first sample.
    timeDeltas: [999, 500, 30, 40, 20, 10],
  })
  expect(shares).toEqual([
    { name: 'writev (node:net)', share: 0.5 },
    { name: 'garbage collection', share: 0.4 },
    { name: 'a function without a name', share: 0.1 },
  ])
})

test('a program is profiled while it works', async () => {
  const { address, args } = await openInspector()
  const file = join(import.meta.dirname, '../../scripts/bench/servers/empty.js')
  const program = await startProgram([...args, file])
  try {
    const shares = await profileAt(address, async () => {
      for (let call = 0; call < 50; call += 1) await (await fetch(program.url)).text()
    })
    expect(shares.map(({ name }) => name).join(' ')).toContain('(node:')
    expect(shares.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1)
  } finally {
    await program.stop()
  }
})

test.runIf(process.platform === 'linux')(
  'memory is read of each server right after its load, and over time of services only',
  async () => {
    const program = (pid: number) => ({ pid, url: '', greeting: '', stop: async () => {} })
    const server = (name: ServerName, pid: number) => ({
      name,
      programs: [program(pid)],
      cpu: async () => undefined,
    })
    const two = server('postgres-2', process.pid)
    const others = [server('raw', process.ppid), server('postgres', process.pid)]
    const watch = watchMemory([...others, two])
    const held = Buffer.alloc(100_000_000, 1)
    watch.note(two)
    watch.end()
    const { servers, series } = await watch.found(0, () => {})
    expect(series?.map(({ server: name }) => name)).toEqual(['postgres'])
    expect(series?.[0]?.values[0]).toBeGreaterThan(20)
    const [raw, postgres] = servers
    expect([raw?.server, postgres?.server, servers.length]).toEqual(['raw', 'postgres', 2])
    expect(raw?.loaded).toBe(raw?.started)
    expect((postgres?.loaded ?? 0) - (postgres?.started ?? 0)).toBeGreaterThan(80)
    expect(held.length).toBe(100_000_000)
  },
)

test('requests mix the versions evenly, with credentials in their headers alone', async () => {
  for (const { path, bodies } of cases) {
    const sent = requestsOf(path, await bodies(undefined))
    const count = Map.groupBy(sent, ({ headers }) => headers['Service-Version'])
    expect([...count.keys()]).toEqual(versions)
    expect(new Set([...count.values()].map((list) => list.length)).size).toBe(1)
    for (const { headers, body } of sent) {
      expect(headers['SERVICE-SECRET']).toBeDefined()
      expect(body).not.toContain('secret')
    }
  }
})
