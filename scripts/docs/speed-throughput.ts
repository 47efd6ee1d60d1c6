import type { Figures } from '../bench/figures.ts'
import { judge, type Level } from '../bench/levels.ts'
import { isService } from '../bench/server-names.ts'
import { showShare, showSpread } from '../bench/tables.ts'
import type { Ratios, Throughput } from '../bench/throughput.ts'
import { floorLevelName } from '../bench/throughput-levels.ts'
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
    ...ratioParts(rows, part.levels),
    {
      markdown: `### CPU of a request, in µs {#cpu}\n\n${serverTable(rows, ({ cpu }) => count(cpu))}`,
    },
    {
      markdown: `### Requests a second {#rates}\n\n${serverTable(rows, ({ rate }) => count(rate))}`,
    },
    {
      markdown: `### CPU of the load generator, as a part of one core {#load}

If the generator uses its whole core, the requests a second show what the generator can send, and not what raw can
answer. In that case, compare the CPU of a request.

${serverTable(rows, ({ generator }) => showShare(generator))}`,
    },
    { markdown: `### Levels of throughput {#levels-throughput}\n\n${levelsOf(part.levels)}` },
    ...missedParts(rows, part.levels),
  ]
}

/** What was measured in pairs; figures that were recorded before that have no ratios. */
function ratioParts(rows: readonly Throughput[], levels: readonly Level[]): Part[] {
  if (!rows.some(({ ofFloor }) => ofFloor)) return []
  return [
    {
      markdown: `### Each operation, for a second of CPU {#by-operation}

The requests that a second of CPU answers, as a part of what the floor answers. The mark across a bar is the level that
the operation has to reach. ${conclusion(rows)}`,
    },
    { template: operationChart(rows, levels) },
    { markdown: ratioTable(rows) },
  ]
}

const count = (value: number | null): string =>
  value === null ? '' : Math.round(value).toLocaleString('en')

/** What a reader should conclude of the ratios. */
function conclusion(rows: readonly Throughput[]): string {
  const sentences = (['sqlite', 'postgres'] as const).flatMap((server) => {
    const parts = rows
      .filter((row) => row.server === server)
      .flatMap(({ ofFloor }) => ofFloor?.perCpu?.median ?? [])
    if (parts.length === 0) return []
    const [least, most] = [Math.min(...parts), Math.max(...parts)]
    const times = (part: number) => (1 / part).toFixed(1)
    return [`${engines[server]} costs ${times(most)} to ${times(least)} times the CPU of the floor`]
  })
  if (sentences.length === 0) return ''
  return `A request on ${sentences.join('; one on ')}. That is the price of credentials, versions, the store, the
request log and the log.`
}

const engines = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const

/** Each operation of the service, with the interval of each ratio. */
function ratioTable(rows: readonly Throughput[]): string {
  const show = (ratios: Ratios | undefined, name: keyof Ratios) => showSpread(ratios?.[name])
  const lines = rows
    .filter(({ server }) => isService(server))
    .map(({ case: id, server, ofFloor, ofRaw }) => [
      `\`${id}\``,
      server,
      show(ofFloor, 'perCpu'),
      show(ofRaw, 'perCpu'),
      show(ofFloor, 'rate'),
      show(ofRaw, 'rate'),
    ])
  const head = ['for a second of CPU, × floor', '× raw', 'a second, × floor', '× raw']
  return `### Ratios {#ratios}

Each figure is the median of its pairs. The true median lies between the two figures in parentheses, with a probability
of at least 95 %. If these intervals of two rows overlap, do not conclude that one of them is faster.

${markdownTable(['operation', 'server', ...head], lines)}`
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

/** The levels of CPU that were missed, in µs. */
function missedParts(rows: readonly Throughput[], levels: readonly Level[]): Part[] {
  const costOf = (id: string, server: string) =>
    rows.find((row) => row.case === id && row.server === server)?.cpu
  const lines = rows.flatMap((row) => {
    const level = levels.find(({ what }) => what === floorLevelName(`${row.case} on ${row.server}`))
    const floor = costOf(row.case, 'floor')
    if (!level || judge(level) !== 'missed' || row.cpu === null || floor == null) return []
    const allowed = floor / level.first
    const cells = [floor, allowed, row.cpu, row.cpu - allowed].map(count)
    return [[`\`${row.case}\``, row.server, ...cells]]
  })
  if (lines.length === 0) return []
  return [
    {
      markdown: `### Levels of CPU that were missed, in µs {#missed}

The floor parses a body and answers text that is ready. It checks no credentials, reads no store and writes no log. So
a level in parts of the floor leaves a fixed number of µs for all that. A faster floor leaves fewer.

${markdownTable(['operation', 'server', 'floor', 'the level allows', 'measured', 'too much'], lines)}`,
    },
  ]
}
