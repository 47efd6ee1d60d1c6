import { allLevels, type Figures } from './figures.ts'
import {
  type Cell,
  levelTable,
  showShare,
  showSpread,
  type Table,
  tableNames,
  tableOf,
  toTenths,
} from './tables.ts'
import type { Throughput } from './throughput.ts'

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

const throughputTable = (rows: readonly Throughput[]): Table => ({
  title: 'Throughput',
  head: [
    ...['operation', 'server', 'CPU µs', 'for a second of CPU, × floor', '× raw'],
    ...['req/s', '× floor', '× raw', 'p50 ms', 'p99 ms', 'bytes', 'load'],
  ],
  rows: rows.map((row) => [
    row.case,
    row.server,
    row.cpu === null ? 'not measured' : toTenths(row.cpu),
    showSpread(row.ofFloor?.perCpu),
    showSpread(row.ofRaw?.perCpu),
    Math.round(row.rate),
    showSpread(row.ofFloor?.rate),
    showSpread(row.ofRaw?.rate),
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
