import { allLevels, type Figures } from './figures.ts'
import { judge, type Level, showValue } from './levels.ts'
import {
  type Cell,
  coldStartRows,
  latencyRows,
  memoryRows,
  projectRows,
  showShare,
  toTenths,
  validatorRows,
  webhookRows,
} from './report-rows.ts'
import type { Throughput } from './rounds.ts'

/** Columns as wide as what stands in them; numbers to the right. */
export function toTable(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const cells = [head, ...rows.map((row) => row.map(cellText))]
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  const isNumber = head.map((_, column) => rows.some((row) => typeof row[column] === 'number'))
  return cells
    .map((row) =>
      row
        .map((cell, column) =>
          isNumber[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const cellText = (cell: Cell): string =>
  typeof cell === 'string' ? cell : cell.toLocaleString('en', { maximumFractionDigits: 2 })

/** A figure as a part of raw's in the same case; nothing where either is not there. */
export function timesRaw(
  rows: readonly Throughput[],
  row: Throughput,
  name: 'rate' | 'cpu',
): number | '' {
  const raw = rows.find((other) => other.server === 'raw' && other.case === row.case)?.[name]
  const own = row[name]
  return raw == null || own == null ? '' : Math.round((own / raw) * 100) / 100
}

export const throughputTable = (rows: readonly Throughput[]): string =>
  toTable(
    [
      'operation',
      'server',
      'req/s',
      '× raw',
      'CPU µs',
      '× raw',
      'p50 ms',
      'p99 ms',
      'bytes',
      'load',
    ],
    rows.map((row) => [
      row.case,
      row.server,
      Math.round(row.rate),
      timesRaw(rows, row, 'rate'),
      row.cpu === null ? 'not measured' : toTenths(row.cpu),
      timesRaw(rows, row, 'cpu'),
      toTenths(row.p50),
      toTenths(row.p99),
      Math.round(row.bytes),
      showShare(row.generator),
    ]),
  )

export const levelTable = (levels: readonly Level[]): string =>
  toTable(
    ['level', 'measured', 'first', 'aim', ''],
    levels.map((level) => [
      level.what,
      showValue(level),
      `${level.atMost ? '≤' : '≥'} ${level.first}`,
      level.second === undefined ? '' : `${level.atMost ? '≤' : '≥'} ${level.second}`,
      judge(level),
    ]),
  )

/** All that was measured, as text. */
export function toText(figures: Figures): string {
  const { throughput, latency, coldStart, memory, webhooks, validators, project } = figures
  const parts = [
    throughput && throughputTable(throughput.found),
    latency &&
      toTable(
        ['at 70 % of its most', 'server', 'req/s', 'p50 ms', 'p99 ms'],
        latencyRows(latency.found),
      ),
    coldStart && toTable(['from start to first answer', 'ms'], coldStartRows(coldStart.found)),
    memory &&
      toTable(
        ['resident memory, MB', 'started', 'loaded', 'idle after it'],
        memoryRows(memory.found, ({ server }) => server),
      ),
    webhooks && toTable(['webhooks', ''], webhookRows(webhooks.found)),
    validators && toTable(['validators', 'pages of 100 a second'], validatorRows(validators.found)),
    project && toTable(['this project', 'seconds'], projectRows(project.found)),
    levelTable(allLevels(figures)),
  ]
  return parts.filter(Boolean).join('\n\n')
}
