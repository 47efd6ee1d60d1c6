import { parseArgs } from 'node:util'
import { type Case, cases } from './cases.ts'
import { latencyCases, latencyServers } from './latency.ts'
import { type ServerName, serverTitles } from './server-names.ts'

/** The parts of the report. */
export const sections = [
  'throughput',
  'latency',
  'cold-start',
  'memory',
  'webhooks',
  'validators',
  'project',
] as const

export type Section = (typeof sections)[number]

/** What of all is measured: everything of a kind of which nothing is named. */
export interface Choice {
  sections: readonly string[]
  servers: readonly string[]
  cases: readonly string[]
}

export const usage = `usage: npm run bench -- [options]
  --quick          a minute: one short round, of one operation of each kind
  --only NAMES     parts, servers or operations, with commas between them
  --rounds NUMBER  how many rounds of throughput (3)
  --seconds NUMBER how long one measurement of a round takes (1)
  --dist FOLDER    a build that is there, in place of one that is made of the checkout
  --growth         what a page costs as data grows, and nothing else
  --gate           the exit code is 1 where a first level is missed
  --json FILE      writes the figures
  --record         keeps whole parts for the docs, in src/docs/bench.json
parts: ${sections.join(', ')}
servers: ${Object.keys(serverTitles).join(', ')} (raw is always beside the others)
operations: ${cases.map(({ id }) => id).join(', ')}`

/** Reads the options, and refuses what is unknown in one line. */
export function readChoices(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      dist: { type: 'string' },
      growth: { type: 'boolean', default: false },
      gate: { type: 'boolean', default: false },
      json: { type: 'string' },
      record: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const { rounds, seconds, only, ...rest } = values
  const choice = readOnly(only, values.quick)
  if (values.record && (values.quick || !namesOf(only).every(isSection))) {
    throw new Error('--record: only whole parts are kept, without --quick, servers or operations')
  }
  return {
    ...rest,
    choice,
    pace: {
      rounds: readNumber('rounds', rounds, /^[1-9]\d?$/, values.quick ? 1 : 3),
      seconds: readNumber('seconds', seconds, /^\d{1,2}(\.\d)?$/, values.quick ? 0.4 : 1),
      warmUp: values.quick ? 0.2 : 0.4,
    },
  }
}

export type Choices = ReturnType<typeof readChoices>

function readNumber(name: string, text: string | undefined, form: RegExp, byDefault: number) {
  if (text === undefined) return byDefault
  if (!form.test(text) || Number(text) === 0) throw new Error(`--${name} must be a small number`)
  return Number(text)
}

/** One of each kind. */
const quickCases: readonly Case['id'][] = [
  'walletGet',
  'transactionsSync',
  'institutionsSearch',
  'walletCreate',
  'oauthToken',
]

/** Names of servers or operations alone mean throughput. */
export function readOnly(text: string, quick = false): Choice {
  const names = namesOf(text)
  const kinds = {
    sections: sections as readonly string[],
    servers: Object.keys(serverTitles),
    cases: cases.map(({ id }) => id as string),
  }
  const known = Object.values(kinds).flat()
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new Error(`--only: there is no ${unknown}; see --help`)
  const chosen = (kind: keyof typeof kinds) => {
    const found = kinds[kind].filter((name) => names.includes(name))
    return found.length > 0 ? found : kinds[kind]
  }
  const namesCase = names.some((name) => kinds.cases.includes(name))
  const byDefault = quick ? sections.filter((name) => name !== 'project') : sections
  const namesSection = names.some(isSection)
  const choice = {
    sections: namesSection ? chosen('sections') : names.length > 0 ? ['throughput'] : byDefault,
    servers: chosen('servers'),
    cases: quick && !namesCase ? quickCases : chosen('cases'),
  }
  refuseEmpty(choice)
  return choice
}

const namesOf = (text: string): string[] => text.split(',').filter(Boolean)

const isSection = (name: string): boolean => (sections as readonly string[]).includes(name)

/** What latency is measured of, among what is chosen; raw is always beside the others. */
export const latencyOf = ({ servers, cases: ids }: Choice): [ServerName[], Case['id'][]] => [
  latencyServers.filter((name) => name === 'raw' || servers.includes(name)),
  latencyCases.filter((id) => ids.includes(id)),
]

function refuseEmpty(choice: Choice): void {
  if (!choice.sections.includes('latency')) return
  const isThere = latencyServers.some((name) => choice.servers.includes(name))
  if (isThere && latencyOf(choice)[1].length > 0) return
  const known = [...latencyServers, ...latencyCases].join(', ')
  throw new Error(`--only: latency is measured of ${known} alone`)
}
