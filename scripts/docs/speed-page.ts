import { type Figures, readFigures } from '../bench/figures.ts'
import { tableOf } from '../bench/tables.ts'
import { growthTable } from './growth-table.ts'
import type { Page, Part } from './html.ts'
import { markdownTable } from './markdown-table.ts'
import { levelsOf, taken } from './measured.ts'
import { speedSummary } from './speed-summary.ts'
import { throughputParts } from './speed-throughput.ts'

export const speedPath = 'speed/'

/** What the service costs beside the server that it stands on, as it was recorded last. */
export function speedPage(figures: Figures = readFigures()): Page {
  return {
    path: speedPath,
    title: 'Speed',
    description: 'What the service costs beside a bare HTTP server, with the figures measured.',
    options: { outline: [2, 3] },
    parts: [
      { markdown: opening(figures) },
      ...throughputParts(figures),
      ...(['latency', 'coldStart', 'memory', 'webhooks', 'imports'] as const).flatMap((name) =>
        section(figures, name),
      ),
      ...growthTable(figures.growth),
      ...section(figures, 'validators'),
      ...section(figures, 'project'),
    ],
  }
}

function opening(figures: Figures): string {
  const isEmpty = Object.keys(figures).length === 0
  const note = isEmpty
    ? '\n\nNo figures have been recorded in this checkout yet: `npm run bench -- --record` does it.'
    : ''
  return `# Speed

What does the service cost beside the HTTP server that it stands on? Read the ratios: the figures themselves are those
of one machine. {.lead}

${speedSummary(figures)}

## How it is measured {#method}

What is on by default or in production's log is on while it is measured: credentials, three versions in turn, checks
of every body, encryption, metrics, the request log, and a line of log for every request; rate limits and traces are off,
as they are by default. Of the request log the latest 500 calls of a client are written.

For throughput and latency all servers are measured in one run, in rounds of an order of chance, of which the medians are
shown. All calls are one client's. What calls of one client share, its row and on PostgreSQL a commit, is shared as much
as it can be; many clients share less.

\`\`\`sh
npm run bench              # about seven minutes
npm run bench -- --quick   # about one
npm run bench -- --only walletGet,sqlite,prism
npm run bench -- --growth  # what a page costs as data grows
\`\`\`

- **raw** is \`node:http\` that parses each body and answers \`JSON.stringify\` of an object made before: by turns what the
  service answers to each of the requests. The load generator has a process of its own, with fifty connections.
- **floor** is Fastify with this project's validators and the same objects, without a store.
- The mocks are Prism, whose log is silent here, and openapi-backend. They answer the contract's examples and keep
  nothing, so their lists are shorter than those of the service.
- CPU is that of all processes of a server, PostgreSQL's included.${note}`
}

/** Figures of one kind under a heading: when they were taken, a table, and the levels to reach. */
function section(figures: Figures, name: keyof typeof texts): Part[] {
  const [part, table] = [figures[name], tableOf(figures, name)]
  if (!part || !table) return []
  const opening = `## ${table.title}\n\n${taken(part.taken)} ${texts[name]}`
  const levels = part.levels.length > 0 ? [levelsOf(part.levels)] : []
  return [{ markdown: [opening, markdownTable(table.head, table.rows), ...levels].join('\n\n') }]
}

const texts = {
  latency: `A read and a write, each at 70 % of what the server could do at most just before. Requests come
whatever the answers do, and their time counts from when they were due. Their sender wakes about once a millisecond and
then sends everything that is due: a part of a millisecond in these figures is its own.`,
  coldStart: 'From the start of the process to its first answer, with a build.',
  memory: `Resident, in MB; those that were loaded hold 12,000 institutions.
With its seed data the service gets no requests. Its first start loads that data; the level is that of its second one.`,
  webhooks:
    'On SQLite. The receiver is a process on the same machine, and verifies each signature.',
  imports: `The commands \`statement\` and \`import\`, from their start to their end. The memory is that of the command or of
the service that it asks, whichever takes more.`,
  validators:
    'The generated validators of `transactionsSync` beside Ajv, on a page of 100 transactions.',
  project: 'Seconds of the clock, each once.',
}
