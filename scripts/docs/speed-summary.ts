import type { Figures } from '../bench/figures.ts'
import { judge } from '../bench/levels.ts'
import type { ServerName } from '../bench/server-names.ts'
import { markdownTable } from './markdown-table.ts'

type Line = [question: string, measured: string, meaning: string]

/** The page in a minute: what was measured, each figure with its unit, and what it means. */
export function speedSummary(figures: Figures): string {
  const lines = [...requests(figures), ...waiting(figures), ...others(figures)]
  if (lines.length === 0) return ''
  const table = markdownTable(['question', 'measured', 'what this means for you'], lines)
  return ['## Summary {#summary}', table, units, verdicts(figures)].join('\n\n')
}

const units =
  'Units: ms are milliseconds, and 1 MB of memory is 1,048,576 bytes. “A second” counts what is answered or delivered in one second. “At most … for 99 %” is the 99th percentile, and “half of them” the median.'

function requests({ throughput }: Figures): Line[] {
  const rateOf = (server: ServerName) =>
    throughput?.found.find((row) => row.case === 'accountsGet' && row.server === server)?.rate
  const [sqlite, postgres] = [rateOf('sqlite'), rateOf('postgres')]
  if (sqlite === undefined || postgres === undefined) return []
  return [
    [
      'How many requests does one process answer?',
      `\`accountsGet\`: ${count(sqlite)} a second on SQLite, ${count(postgres)} a second on PostgreSQL`,
      'One process is enough to develop and test with. Measure your own load before production.',
    ],
  ]
}

function waiting({ latency }: Figures): Line[] {
  const row = latency?.found.find((one) => one.case === 'walletGet' && one.server === 'sqlite')
  if (!row) return []
  return [
    [
      'How long does a caller wait under load?',
      `\`walletGet\` on SQLite, ${count(row.rate)} requests a second: ${row.p50.toFixed(1)} ms for half of them, at most ${row.p99.toFixed(1)} ms for 99 %`,
      'Add the time of your network. Choose timeouts by the 99 %, not by the median.',
    ],
  ]
}

function others({ coldStart, memory, webhooks }: Figures): Line[] {
  const lines: Line[] = []
  if (coldStart) {
    const { service, first } = coldStart.found
    lines.push([
      'How soon does it answer after a start?',
      `${count(service)} ms; ${count(first)} ms at the first start, which loads the seed data`,
      'You can start it for a test run, and restart it for an upgrade.',
    ])
  }
  if (memory?.found.idle !== undefined) {
    lines.push([
      'How much memory does it take?',
      `${count(memory.found.idle)} MB without requests`,
      'Plan more for load: the section Memory has the figures.',
    ])
  }
  if (webhooks) {
    lines.push([
      'How fast are webhooks delivered?',
      `${count(webhooks.found.rate)} verified deliveries a second on SQLite`,
      'More events than that wait in a queue, and are delivered later.',
    ])
  }
  return lines
}

/** How many of the levels that the project sets itself were reached. */
function verdicts(figures: Figures): string {
  const levels = Object.values(figures).flatMap((part) => ('levels' in part ? part.levels : []))
  const missed = levels.filter((level) => judge(level) === 'missed').length
  const reached = `${levels.length - missed} of ${levels.length}`
  return `The project sets itself levels for these figures: ${reached} were reached on this machine, ${missed} were missed. The tables below name each.`
}

const count = (value: number): string => Math.round(value).toLocaleString('en')
