import type { Figures } from '../bench/figures.ts'
import { timesRaw } from '../bench/report.ts'
import type { Throughput } from '../bench/rounds.ts'
import { showShare } from '../bench/tables.ts'
import type { Part } from './html.ts'
import { markdownTable } from './markdown-table.ts'
import { levelsOf, taken } from './measured.ts'
import { operationChart, serverChart } from './speed-charts.ts'

/** What each server does of each operation. */
export function throughputParts({ throughput: part }: Figures): Part[] {
  if (!part) return []
  const rows = part.found
  return [
    { markdown: `## Throughput\n\n${taken(part.taken)}\n\n### A key read, by server {#by-server}` },
    { template: serverChart(rows) },
    {
      markdown: `### Each operation, as a part of raw {#by-operation}

The first mark across a bar is the level that the operation has to reach. The second mark is the target.`,
    },
    { template: operationChart(rows, part.levels) },
    { markdown: `### Requests a second {#rates}\n\n${byServer(rows, 'rate')}` },
    { markdown: `### CPU of a request, in µs {#cpu}\n\n${byServer(rows, 'cpu')}` },
    {
      markdown: `### CPU of the load generator, as a part of one core {#load}

If the generator uses its whole core, the requests a second show what the generator can send, and not what raw can
answer. In that case, compare the CPU of a request.

${serverTable(rows, ({ generator }) => showShare(generator))}`,
    },
    { markdown: `### Levels of throughput {#levels-throughput}\n\n${levelsOf(part.levels)}` },
  ]
}

/** A row for each operation, a column for each server. */
function serverTable(rows: readonly Throughput[], show: (row: Throughput) => string): string {
  const servers = [...new Set(rows.map(({ server }) => server))]
  const lines = [...Map.groupBy(rows, (row) => row.case)].map(([id, of]) => [
    `\`${id}\``,
    ...servers.map((server) => {
      const row = of.find((one) => one.server === server)
      return row ? show(row) : ''
    }),
  ])
  return markdownTable(['operation', ...servers], lines)
}

/** Each figure beside raw's. */
function byServer(rows: readonly Throughput[], name: 'rate' | 'cpu'): string {
  const show = (row: Throughput) => {
    const value = row[name]
    if (value == null) return ''
    return `${Math.round(value).toLocaleString('en')} (${timesRaw(rows, row, name)})`
  }
  return `The ratio to raw is in parentheses.\n\n${serverTable(rows, show)}`
}
