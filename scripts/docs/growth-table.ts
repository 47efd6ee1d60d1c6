import {
  caseTitle,
  engineNames,
  type Growth,
  type GrowthRow,
  type GrowthWorld,
  sizeName,
} from '../bench/growth-report.ts'
import type { Part } from './html.ts'
import { markdownTable } from './markdown-table.ts'
import { taken } from './measured.ts'

/** What the same requests cost at each size, a row for each request and store. */
export function growthTable(growth: Growth | undefined): Part[] {
  if (!growth) return []
  const sizes = [...new Set(growth.rows.map(({ size }) => size))].sort((one, two) => one - two)
  const requests = Map.groupBy(growth.rows, ({ engine, name }) => `${engine} ${name}`)
  const lines = [...requests.values()].flatMap(([row, ...others]) =>
    row ? [toLine(row, sizes, [row, ...others])] : [],
  )
  const text = `## Growth

${taken(growth.taken)} Each row is one request, at several numbers of transactions. A figure is the CPU time in µs,
including that of the database. Its ratio to the same request at the smallest number is in parentheses. For this ratio,
both were measured in turn. Pages of \`transactionsGet\` over all days of the largest Item are exceptions: the database
counts their total and skips their offset.

${markdownTable(['request', 'store', ...sizes.map(sizeName)], lines)}

${markdownTable(
  ['store', 'transactions', 'MB on disk', 'loaded in, s', 'memory of the service, MB'],
  growth.worlds.map(toWorldLine),
)}`
  return [{ markdown: text }]
}

const toLine = ({ engine, name }: GrowthRow, sizes: number[], rows: GrowthRow[]): string[] => [
  caseTitle(name),
  engineNames[engine],
  ...sizes.map((size) => toCell(rows.find((row) => row.size === size))),
]

function toCell(row: GrowthRow | undefined): string {
  if (!row) return ''
  const ratio = `${row.ratio.toFixed(2)}${row.isExcepted ? ', excepted' : ''}`
  return row.cpu === undefined ? ratio : `${Math.round(row.cpu)} (${ratio})`
}

const toWorldLine = ({ engine, size, megabytes, loadSeconds, memory }: GrowthWorld) => [
  engineNames[engine],
  sizeName(size),
  Math.round(megabytes),
  Math.round(loadSeconds),
  memory === undefined ? '' : Math.round(memory),
]
