import type { Measured, Parts } from './figures.ts'
import { judge, type Level, showValue } from './levels.ts'
import type { Share } from './profile.ts'
import { serverTitles } from './server-names.ts'
import type { Spread } from './statistics.ts'

// Each table of figures, as the report and the page of the docs show it. Figures are rounded here,
// and nowhere before.

export type Cell = string | number

export interface Table {
  title: string
  head: readonly string[]
  rows: readonly (readonly Cell[])[]
}

type TableName = Exclude<keyof Measured, 'throughput'>

const tables: { [Name in TableName]: (found: Measured[Name]) => Table } = {
  latency: (found) => ({
    title: 'Latency',
    head: ['operation', 'server', 'requests a second', 'p50 ms', 'p99 ms', 'p99, × raw'],
    rows: found.map((row) => [
      row.case,
      row.server,
      Math.round(row.rate),
      toTenths(row.p50),
      toTenths(row.p99),
      showSpread(row.ofRaw),
    ]),
  }),
  coldStart: ({ empty, service, first, times, ofEmpty }) => ({
    title: 'Start',
    head: ['what', 'ms', '× the empty server'],
    rows: [
      [`empty node:http server, median of ${times}`, Math.round(empty), ''],
      [`this service, warm folder, median of ${times}`, Math.round(service), showSpread(ofEmpty)],
      ['this service, its first start', Math.round(first), ''],
    ],
  }),
  memory: ({ idle, idleFirst, servers }) => ({
    title: 'Memory',
    head: ['what', 'after the start', 'after its load', 'a minute later'],
    rows: [
      ...(idleFirst === undefined
        ? []
        : [['this service with its seed data, its first start', idleFirst, '', '']]),
      ['this service with its seed data, its second start', idle ?? '', '', ''],
      ...servers.map((row) => [
        serverTitles[row.server],
        row.started,
        row.loaded,
        row.rested ?? '',
      ]),
    ],
  }),
  webhooks: (found) => ({
    title: 'Webhooks',
    head: ['what', 'measured'],
    rows: [
      ['verified deliveries a second', Math.round(found.rate)],
      ['of so many', found.delivered],
      ['part of a core that the receiver used', showShare(found.receiver)],
      [
        `p99 of ${Math.round(found.reads)} reads a second (30 %) beside ${found.writes} writes a second, ms`,
        toTenths(found.without),
      ],
      ['the same where each of these writes is delivered as a webhook, ms', toTenths(found.with)],
      ['the second p99 over the first one, by rounds', showSpread(found.slower)],
      ['part of a core that the receiver used then', showShare(found.receiverThen)],
    ],
  }),
  proxy: ({ rows }) => ({
    title: 'Proxy',
    head: ['p50 ms, one request at a time', 'service', 'plain proxy', 'proxy'],
    rows: rows.map((row) => [
      row.case,
      ...[row.direct, row.plain, row.checking].map((ms) => Math.round(ms * 100) / 100),
    ]),
  }),
  validators: ({ generated, stock, fast }) => ({
    title: 'Validators',
    head: ['what', 'pages a second'],
    rows: [
      ['the generated validators', Math.round(generated)],
      ['Ajv with all formats', Math.round(stock)],
      ['Ajv with its fast formats', Math.round(fast)],
    ],
  }),
  imports: ({ rows, reads, imports }) => ({
    title: 'Statement files',
    head: [`${rows} rows`, 'seconds', '× a tenth of the rows', 'MB above one row'],
    rows: [
      ...reads.map((row) => ({ what: `${row.format}, read`, ...row })),
      ...imports.map((row) => ({ what: `ofx, imported on ${row.store}`, ...row })),
    ].map(({ what, seconds, growth, memory }) => [
      what,
      toTenths(seconds),
      toTenths(growth),
      Math.round(memory),
    ]),
  }),
  dashboard: ({ calls, transactions, rows }) => ({
    title: 'Dashboard',
    head: [`${calls} calls, ${transactions} transactions`, 'store', 'p50 ms', 'p95 ms'],
    rows: rows.map(({ store, name, p50, p95 }) => [name, store, toTenths(p50), toTenths(p95)]),
  }),
  requestList: ({ rounds, without, rows }) => ({
    title: 'List of calls',
    head: [`${rounds} alternating rounds`, 'µs of CPU for a call', 'quartiles'],
    rows: [
      ['walletGet without the list', toTenths(without), ''],
      ...rows.map(({ name, median, from, to }) => [
        `added by the list ${name}`,
        toTenths(median),
        `${toTenths(from)} to ${toTenths(to)}`,
      ]),
    ],
  }),
  builds: ({ commit, rows, memory }) => ({
    title: 'Before and now',
    head: ['what', 'store', commit, 'now', 'now, × before'],
    rows: [
      ...rows.map((row) => [
        `${row.case}, µs of CPU`,
        row.server,
        toTenths(row.before),
        toTenths(row.now),
        showSpread(row.ratio),
      ]),
      ...memory.map(({ server, before, now }) => ['memory after it, MB', server, before, now, '']),
    ],
  }),
  profiles: ({ commit, rows }) => ({
    title: 'Where the time goes',
    head: rows.map((row) => `${row.case}, ${row.build === 'now' ? 'now' : commit}`),
    rows: Array.from({ length: Math.max(0, ...rows.map(({ shares }) => shares.length)) }, (_, at) =>
      rows.map(({ shares }) => showFunction(shares[at])),
    ),
  }),
  project: ({ generate, typecheck, consumer }) => ({
    title: 'This project',
    head: ['what', 'seconds'],
    rows: [
      ['npm run generate', toTenths(generate)],
      ['npm run typecheck', toTenths(typecheck)],
      ['the types of a program that calls one operation', toTenths(consumer)],
    ],
  }),
}

export const tableNames = Object.keys(tables) as TableName[]

/** The table of a part, where it was measured. */
export function tableOf<Name extends TableName>(parts: Parts, name: Name): Table | undefined {
  const part: Parts[Name] = parts[name]
  return part && tables[name](part.found)
}

/** What was measured beside what it has to reach. */
export const levelTable = (levels: readonly Level[]): Table => ({
  title: 'Levels',
  head: ['level', 'measured', 'at first', 'aim', 'result'],
  rows: levels.map((level) => {
    const sign = level.atMost ? '≤\u00a0' : '≥\u00a0'
    const aim = level.second === undefined ? '' : `${sign}${level.second}`
    return [level.what, showValue(level), `${sign}${level.first}`, aim, judge(level)]
  }),
})

const showFunction = (found: Share | undefined): string =>
  found ? `${(100 * found.share).toFixed(1)} % ${found.name}` : ''

const toHundredths = (value: number): number => Math.round(value * 100) / 100

/** A median with its interval. */
export const showSpread = (spread: Spread | undefined): string => {
  if (spread === undefined) return ''
  const [middle, from, to] = [spread.median, spread.from, spread.to].map((value) =>
    toHundredths(value).toFixed(2),
  )
  return `${middle} (${from} to ${to})`
}

export const toTenths = (value: number): number => Math.round(value * 10) / 10

export const showShare = (part: number | null): string =>
  part === null ? 'not measured' : `${Math.round(part * 100)} %`
