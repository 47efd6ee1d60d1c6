import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../contract/contract.ts'
import type { Measured } from '../test/trust.ts'
import type { Page } from './html.ts'
import { trustSummary } from './trust-summary.ts'

export const trustPath = 'trust/'

/** A row as it was recorded, with how, when and where it was measured. */
export interface Recorded extends Measured {
  scale: string
  day: string
  machine: string
}

/** Topics, each a file of tests, in the order of the page. */
type Group = [title: string, topics: Record<string, string>]

const groups: Group[] = [
  [
    'Faults',
    {
      kill: 'Killed processes',
      pulls: 'Reads from banks',
      power: 'Power loss',
      disk: 'Full and read-only disks',
      damage: 'Damaged files',
      clock: 'A clock that jumps',
      database: 'Database failures',
      'database-start': 'Start without a database',
      'many-clients': 'Many clients that write at once',
      pooler: 'Connection pooler',
      migration: 'Migrations that are cut off',
      failover: 'Fail-over',
      receivers: 'Receivers of webhooks',
      overload: 'Overload',
      connections: 'Clients that do not read',
      'fair-shares': 'Fair shares of clients',
      shutdown: 'Shutdown',
      retention: 'Data retention',
      memory: 'Memory after load',
    },
  ],
  [
    'Attackers',
    {
      fuzz: 'Fuzzing',
      bodies: 'Bodies that are costly to reject',
      planted: 'Bugs planted on purpose',
      isolation: 'Isolation of clients',
      oauth: 'OAuth',
      forgery: 'Forged requests and signatures',
      'web-pages': 'Web pages in a browser',
      guessing: 'Guessing of credentials',
      secrets: 'Secrets at rest and in logs',
      redaction: 'Redaction of log texts',
      'supply-chain': 'Supply chain',
    },
  ],
  [
    'Mutation tests',
    { 'contract-mutants': 'Mutants of the contract', 'code-mutants': 'Mutants of the code' },
  ],
  [
    'Operators',
    {
      backup: 'Backup and restore',
      upgrade: 'Upgrades',
      operators: 'Health, metrics, logs, traces',
      deploy: 'Container and unit',
    },
  ],
]

/** The results of the reliability and security tests. */
export const trustPage = (rows: readonly Recorded[] = readRecorded()): Page => ({
  path: trustPath,
  title: 'Reliability and security',
  description:
    'The results of the reliability and security tests, with the figures that were measured.',
  options: { outline: [2, 3] },
  parts: [
    {
      markdown: [
        opening(rows),
        ...[...groups, others(rows)].flatMap((group) => section(rows, group)),
      ].join('\n\n'),
    },
  ],
})

export const recordedFile = join(root, 'src/docs/trust.json')

export const readRecorded = (): Recorded[] =>
  existsSync(recordedFile) ? (JSON.parse(readFileSync(recordedFile, 'utf8')) as Recorded[]) : []

function opening(rows: readonly Recorded[]): string {
  const machines = [...new Set(rows.map(({ machine }) => machine))]
  const summary =
    rows.length === 0
      ? 'No figures have been recorded in this checkout yet: `npm run test:trust -- --record` does it.'
      : `Recorded on: ${machines.join('; ')}.`
  return `# Reliability and security

This page has the results of tests that try to break the service. In these tests a process dies, a disk fills, a
receiver hangs, or a client attacks another one. Each line is a test, with what it measured. The figures promise nothing
about your machine: run the tests there. {.lead}

${trustSummary(rows)}

\`\`\`sh
npm run test:trust -- --quick  # a few minutes
npm run test:trust             # about twenty minutes
npm run test:trust -- --long   # an hour or more
\`\`\`

${summary} [Operate it](/guides/operate/) says how to run the service so that these results hold for you.`
}

/** Topics that are not listed above are shown under their own names. */
function others(rows: readonly Recorded[]): Group {
  const known = groups.flatMap(([, topics]) => Object.keys(topics))
  const unknown = rows.map(({ topic }) => topic).filter((topic) => !known.includes(topic))
  return ['More', Object.fromEntries(unknown.map((topic) => [topic, topic]))]
}

function section(rows: readonly Recorded[], [title, topics]: Group): string[] {
  const parts = Object.entries(topics).flatMap(([topic, name]) => {
    const own = rows.filter((row) => row.topic === topic)
    return own.length > 0 ? [table(topic, name, own)] : []
  })
  // Topics have the plain names.
  const id = `all-${title.toLowerCase().replaceAll(' ', '-')}`
  return parts.length > 0 ? [`## ${title} {#${id}}`, ...parts] : []
}

function table(topic: string, name: string, rows: readonly Recorded[]): string {
  const [{ scale, day } = { scale: '', day: '' }] = rows
  const lines = rows.map(({ claim, figures }) => `| ${plain(claim)} | ${figuresOf(figures)} |`)
  return [
    `### ${name} {#${topic}}`,
    `\`npm run test:trust -- ${topic}\`, at the scale “${scale}”, on ${day}.`,
    ['| what holds | measured |', '|---|---|', ...lines].join('\n'),
  ].join('\n\n')
}

const figuresOf = (figures: Recorded['figures']): string =>
  Object.entries(figures)
    .map(([name, value]) => figure(name, value))
    .join(', ')

const units: Record<string, string> = {
  ms: 'ms',
  us: 'µs',
  s: 's',
  mb: 'MB',
  kb: 'kB',
  percent: '%',
}

/** `stop_ms: 1500` as `stop 1,500 ms`, and `requests_per_s: 9` as `requests 9 a second`. */
function figure(name: string, value: number | string): string {
  const number = typeof value === 'number' ? value.toLocaleString('en') : value
  const rate = /^(.*?)_?per_s$/.exec(name)
  if (rate) return `${plain(words(rate[1] ?? ''))} **${number} a second**`.trim()
  const [, label = name, suffix = ''] = /^(.+)_([a-z]+)$/.exec(name) ?? []
  const unit = units[suffix]
  return unit
    ? `${plain(words(label))} **${plain(number)}\u00a0${unit}**`
    : `${plain(words(name))} **${plain(number)}**`
}

const words = (name: string): string => name.replaceAll('_', ' ')

/** Without what Markdown, its tables and Vue's templates would take for their own. */
const plain = (text: string): string =>
  text
    .replaceAll('|', '\\|')
    .replaceAll(/<(?=[a-z/!])/gi, '‹')
    .replaceAll('{{', '{ {')
