import { markdownTable } from './markdown-table.ts'
import type { Recorded } from './trust-page.ts'

/** A question, with the figures that answer it, and what the answer means. */
type Question = [
  question: string,
  figures: readonly [name: string, unit: string][],
  meaning: string,
]

const questions: Question[] = [
  [
    'Are writes lost when something fails?',
    [
      ['acknowledged', 'acknowledged writes'],
      ['lost', 'lost'],
    ],
    'Once you have a success response, the data is stored.',
  ],
  [
    'Can a request break the service?',
    [
      ['requests', 'random requests'],
      ['findings', 'faults found'],
    ],
    'Requests that are not valid get an error, and do no harm.',
  ],
  [
    'Can a client see data of another one?',
    [
      ['probes', 'attempts'],
      ['leaks', 'leaks'],
    ],
    'Several clients can share one service.',
  ],
  [
    'Do secrets reach the log or the disk?',
    [
      ['secrets', 'secrets searched for, on both stores'],
      ['found', 'found'],
    ],
    'Logs and stored data hold no secret in plain text.',
  ],
]

/** The page in a minute: the sums of what the tests with both figures measured. */
export function trustSummary(rows: readonly Recorded[]): string {
  const lines = questions.flatMap(([question, figures, meaning]) => {
    const own = rows.filter(
      (row) => !isControl(row) && figures.every(([name]) => name in row.figures),
    )
    if (own.length === 0) return []
    const sums = figures.map(([name, unit]) => `**${sum(own, name)}** ${unit}`)
    return [[question, sums.join(', '), meaning]]
  })
  if (lines.length === 0) return ''
  const table = markdownTable(['question', 'measured', 'what this means for you'], lines)
  return ['## Summary {#summary}', table, units].join('\n\n')
}

const units =
  'Units: each figure is a count, with what it counts beside it. It is the sum over all tests below that measure it. In the tables below, s are seconds, ms milliseconds, and MB megabytes.'

/** A control shows that a test can fail, and the search of `planted` that it finds what is there. */
const isControl = ({ topic, claim }: Recorded): boolean =>
  topic === 'planted' || claim.startsWith('control')

const sum = (rows: readonly Recorded[], name: string): string =>
  rows.reduce((total, { figures }) => total + Number(figures[name]), 0).toLocaleString('en')
