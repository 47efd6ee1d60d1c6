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

The first mark across a bar is the level that it has to reach, the second one what it is aimed at.`,
    },
    { template: operationChart(rows, part.levels) },
    { markdown: `### Requests a second {#rates}\n\n${byServer(rows, 'rate')}` },
    { markdown: `### CPU of a request, in µs {#cpu}\n\n${byServer(rows, 'cpu')}` },
    {
      markdown: `### The load generator, as a part of a core {#load}

Where the generator's core is full, requests a second are what it can send, not what raw can answer: then read the CPU of
a request.

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
  return `In brackets, as a part of raw's.\n\n${serverTable(rows, show)}`
}
