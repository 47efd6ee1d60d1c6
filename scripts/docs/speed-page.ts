import { type Figures, readFigures } from '../bench/figures.ts'
import { tableOf } from '../bench/tables.ts'
import { growthTable } from './growth-table.ts'
import type { Page, Part } from './html.ts'
import { markdownTable } from './markdown-table.ts'
import { levelsOf, taken } from './measured.ts'
import { memoryChart } from './speed-charts.ts'
import { speedSummary } from './speed-summary.ts'
import { throughputParts } from './speed-throughput.ts'

export const speedPath = 'speed/'

/** What the service costs beside the server that it stands on, as it was recorded last. */
export function speedPage(figures: Figures = readFigures()): Page {
  return {
    path: speedPath,
    title: 'Speed',
    description: 'The speed and the memory of the service, compared with a bare HTTP server.',
    options: { outline: [2, 3] },
    parts: [
      { markdown: opening(figures) },
      ...throughputParts(figures),
      ...(['builds', 'profiles', 'latency', 'coldStart', 'memory'] as const).flatMap((name) =>
        section(figures, name),
      ),
      ...picture(figures),
      ...(['webhooks', 'imports'] as const).flatMap((name) => section(figures, name)),
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

This page compares the speed and the memory of the service with those of the HTTP server on which it is built. Compare
the ratios: the absolute figures are those of one machine. {.lead}

${speedSummary(figures)}

## How it is measured {#method}

The measured service has the defaults, and the log level of production. So these are on: credentials, three versions in
turn, checks of every body, encryption, metrics, the request log, and a log line for every request. Rate limits and
traces are off. The request log stores the latest 100,000 calls of a client. It is written before a measurement ends, and
the CPU for that counts.

A machine is not equally fast at all times. So each measurement of throughput is short, and has one of raw and one of
the floor right before and right after it. A ratio compares a measurement with the mean of these two. The page shows the
median of ten such ratios, and how far they spread. A level counts as reached if the whole interval reaches it. Latency,
start and webhooks are measured in pairs as well. One client makes all calls. Calls of one client share its row and, on PostgreSQL, a
commit, so these figures have the most sharing that is possible. Calls of many clients share less.

\`\`\`sh
npm run bench              # about ten minutes
npm run bench -- --quick   # about one
npm run bench -- --only walletGet,sqlite,prism
npm run bench -- --growth  # what a page costs as data grows
npm run bench -- --only builds --before ../older-checkout
\`\`\`

- **raw** is \`node:http\`. It parses each body and answers \`JSON.stringify\` of an object that was made before. These
  objects are the answers of the service to the same requests, in turn.
- **floor** is Fastify with this project's validators and the same objects, without a database.
- **prism** and **openapi-backend** are mocks. The log of Prism is off. The mocks answer the contract's examples and
  store nothing, so their lists are shorter than those of the service.
- The load generator is a separate process, with fifty connections.
- A figure “for a second of CPU” does not depend on how fast the load generator is.
- CPU is the CPU time of all processes of a server, including those of PostgreSQL.${note}`
}

/** Figures of one kind under a heading: when they were taken, a table, and the levels to reach. */
function section(figures: Figures, name: keyof typeof texts): Part[] {
  const [part, table] = [figures[name], tableOf(figures, name)]
  if (!part || !table) return []
  const opening = `## ${table.title}\n\n${taken(part.taken)} ${texts[name]}`
  const levels = part.levels.length > 0 ? [levelsOf(part.levels)] : []
  return [{ markdown: [opening, markdownTable(table.head, table.rows), ...levels].join('\n\n') }]
}

/** The memory over time, where it was recorded. */
const picture = ({ memory }: Figures): Part[] =>
  memory?.found.series?.length ? [{ template: memoryChart(memory.found.series) }] : []

const texts = {
  builds: `The commit in the head of the table and this one, in turns on the same data. The ratio has the interval of its
pairs. Each measurement ends with a call of \`/sandbox/request/list\`, which has the log written. An older build may need
longer for it.`,
  profiles: `What functions take by themselves of the time with work, on SQLite, with 50 connections: the greatest
parts, before and now. Functions of Node have its module behind their name.`,
  latency: `A read and a write, each at 70 % of the highest rate that the server reached just before. The
load generator sends a request when it is due, and does not wait for answers. The time of a request counts from when it
was due. The generator wakes about once a millisecond and then sends everything that is due. So a part of a
millisecond in these figures comes from the generator.`,
  coldStart:
    'The time from the start of the process to its first answer. The service runs from a build.',
  memory: `Resident memory, in MB. The servers that got a load have 12,000 institutions. They are read right after the last load of
each. The service has \`MALLOC_ARENA_MAX=2\`, as in its image. In the rows with seed data, the service gets no requests. Its first
start loads the seed data, and the level is for its second start. Below the levels is the memory of
the services during all load of this page.`,
  webhooks:
    'On SQLite. The receiver is a process on the same machine, and verifies each signature.',
  imports: `The time of the commands \`statement\` and \`import\`, from start to end. The memory is that of the command, or of
the service that does the import: the larger of the two.`,
  validators:
    'The generated validators of `transactionsSync` compared with Ajv, on a page of 100 transactions.',
  project: 'Elapsed time in seconds, measured once each.',
}
