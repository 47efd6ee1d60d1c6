import { allLevels, type Figures } from './figures.ts'
import type { Throughput } from './rounds.ts'
import {
  type Cell,
  levelTable,
  showShare,
  type Table,
  tableNames,
  tableOf,
  toTenths,
} from './tables.ts'

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

const throughputTable = (rows: readonly Throughput[]): Table => ({
  title: 'Throughput',
  head: [
    ...['operation', 'server', 'req/s', '× raw', 'CPU µs', '× raw'],
    ...['p50 ms', 'p99 ms', 'bytes', 'load'],
  ],
  rows: rows.map((row) => [
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
})

/** Everything that was measured, as text. */
export function toText(figures: Figures): string {
  const all = [
    figures.throughput && throughputTable(figures.throughput.found),
    ...tableNames.map((name) => tableOf(figures, name)),
    levelTable(allLevels(figures)),
  ]
  return all
    .flatMap((table) => (table ? [`${table.title}\n${toTable(table.head, table.rows)}`] : []))
    .join('\n\n')
}
