import { readArguments } from '../../src/arguments.ts'
import { fileMistake } from '../output-path.ts'
import { type Case, cases } from './cases.ts'
import type { Engine } from './growth-report.ts'
import { usualSizes } from './growth-report.ts'
import { latencyCases, latencyServers } from './latency.ts'
import { isService, type ServerName, serverTitles } from './server-names.ts'

/** The parts of the report. */
export const sections = [
  'throughput',
  'latency',
  'cold-start',
  'memory',
  'webhooks',
  'proxy',
  'validators',
  'imports',
  'dashboard',
  'request-list',
  'builds',
  'project',
] as const

export type Section = (typeof sections)[number]

/** What is measured only where it is named: each of them takes minutes. */
export const longSections: readonly Section[] = [
  ...(['imports', 'dashboard', 'request-list', 'builds', 'project'] as const),
]

/** What is measured: everything of a kind of which nothing is named. */
export interface Choice {
  sections: readonly Section[]
  servers: readonly ServerName[]
  cases: readonly string[]
}

export const usage = `usage: npm run bench -- [options]
  --quick          a minute: one short round, of the service alone and one operation of each kind
  --only NAMES     parts, servers or operations, with commas between them;
                   without it all parts but ${longSections.join(', ')}
  --pairs NUMBER   how often a server is measured in each case, beside raw and the floor (10)
  --seconds NUMBER how long one of these measurements takes (0.2)
  --dist FOLDER    a build that is there, in place of one that is made of the checkout
  --before FOLDER  an older checkout with its build; the part builds measures this one beside it
  --growth         what a page costs as data grows, and nothing else
  --engines NAMES  of the growth: sqlite, postgres (both)
  --sizes NUMBERS  of the growth: transactions, the smallest first (${usualSizes.join(',')})
  --gate           the exit code is 1 where a first level is missed
  --json FILE      writes the figures
  --record         keeps whole parts for the docs, in src/docs/bench.json
parts: ${sections.join(', ')}
servers: ${Object.keys(serverTitles).join(', ')} (raw and floor are always beside the others)
operations: ${cases.map(({ id }) => id).join(', ')}`

/** Reads the options; an unknown one is an error in one line. */
export function readChoices(args: readonly string[]) {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean', default: false } as const
  const toError = (message: string) => new Error(`${message}; see --help`)
  const config = {
    args: [...args],
    options: {
      ...{ quick: flag, growth: flag, gate: flag, record: flag, help: { ...flag, short: 'h' } },
      ...{ pairs: text, seconds: text, dist: text, before: text, json: text },
      ...{ engines: text, sizes: text, only: text },
    },
  }
  const { values } = readArguments(config, toError)
  const { quick, pairs, seconds, only: named, engines, sizes, ...rest } = values
  const only = named ?? ''
  if (named !== undefined && namesOf(named).length === 0)
    throw new Error('--only: nothing is named')
  if (rest.growth) rejectBeside('--growth', { only, quick, pairs, seconds, before: rest.before })
  const mistake = rest.json === undefined ? undefined : fileMistake(rest.json)
  if (mistake !== undefined) throw new Error(`--json: ${mistake}`)
  const choice = readOnly(only, quick)
  if (values.record && (quick || !namesOf(only).every(isSection))) {
    throw new Error('--record: only whole parts are kept, without --quick, servers or operations')
  }
  if (choice.sections.includes('builds') !== (values.before !== undefined)) {
    throw new Error('builds are compared by `--only builds --before FOLDER`, which need each other')
  }
  return {
    ...rest,
    quick,
    choice,
    growthOf: readGrowth(rest.growth, engines, sizes),
    pace: {
      pairs: readNumber('pairs', pairs, wholeNumber, quick ? 1 : 10),
      seconds: readNumber('seconds', seconds, tenths, 0.2),
      warmUp: quick ? 0.1 : 0.4,
    },
  }
}

/** Fails where an option would have no effect beside another one. */
function rejectBeside(option: string, others: Record<string, string | boolean | undefined>): void {
  const [name] = Object.keys(others).filter((one) => others[one])
  if (name !== undefined) throw new Error(`--${name}: not with ${option}`)
}

const allEngines: readonly Engine[] = ['sqlite', 'postgres']

function readGrowth(isGrowth: boolean, engines: string | undefined, sizes: string | undefined) {
  if (!isGrowth && engines !== undefined) throw new Error('--engines: only with --growth')
  if (!isGrowth && sizes !== undefined) throw new Error('--sizes: only with --growth')
  return { engines: readEngines(engines), sizes: readSizes(sizes) }
}

function readEngines(text: string | undefined): readonly Engine[] {
  if (text === undefined) return allEngines
  const names = namesOf(text)
  const unknown = names.find((name) => !(allEngines as readonly string[]).includes(name))
  if (unknown !== undefined) throw new Error(`--engines: there is no ${unknown}; see --help`)
  if (names.length === 0) throw new Error('--engines: nothing is named')
  return allEngines.filter((engine) => names.includes(engine))
}

/** With fewer transactions there is one Item only, and the cases need two. */
const leastSize = 2000

function readSizes(text: string | undefined): readonly number[] {
  if (text === undefined) return usualSizes
  const parts = text.split(',')
  const sizes = parts.map(Number)
  const isRising = sizes.every((size, index) => index === 0 || size > (sizes[index - 1] ?? 0))
  if (parts.some((part) => !/^[1-9]\d{0,8}$/.test(part)) || !isRising) {
    throw new Error('--sizes: numbers with commas between them, the smallest first')
  }
  if ((sizes[0] ?? 0) < leastSize) throw new Error(`--sizes: ${leastSize} transactions at least`)
  return sizes
}

export type Choices = ReturnType<typeof readChoices>

interface NumberForm {
  pattern: RegExp
  expected: string
}

const wholeNumber: NumberForm = { pattern: /^[1-9]\d?$/, expected: 'a whole number from 1 to 99' }
const tenths: NumberForm = {
  pattern: /^(?!0+(\.0)?$)\d{1,2}(\.\d)?$/,
  expected: 'a number from 0.1 to 99.9, with one digit after the point at most',
}

function readNumber(name: string, text: string | undefined, form: NumberForm, byDefault: number) {
  if (text === undefined) return byDefault
  if (!form.pattern.test(text)) throw new Error(`--${name}: expected ${form.expected}`)
  return Number(text)
}

/** One of each kind. */
const quickCases: readonly Case['id'][] = [
  ...(['walletGet', 'transactionsSync', 'institutionsSearch', 'walletCreate'] as const),
]

/** Names of servers or operations alone mean throughput. */
export function readOnly(text: string, quick = false): Choice {
  const names = namesOf(text)
  const servers = Object.keys(serverTitles) as ServerName[]
  const ids = cases.map(({ id }) => id)
  const named = <Name extends string>(all: readonly Name[]) =>
    all.filter((name) => names.includes(name))
  const or = <Name>(chosen: readonly Name[], byDefault: readonly Name[]) =>
    chosen.length > 0 ? chosen : byDefault
  const known: string[] = [...sections, ...servers, ...ids]
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new Error(`--only: there is no ${unknown}; see --help`)
  const usual = sections.filter((name) => !longSections.includes(name))
  const choice = {
    sections: or<Section>(named(sections), names.length > 0 ? ['throughput'] : usual),
    servers: or(named(servers), quick ? servers.filter(isService) : servers),
    cases: or(named(ids), quick ? quickCases : ids),
  }
  requireLatency(choice)
  return choice
}

const namesOf = (text: string): string[] => text.split(',').filter(Boolean)

const isSection = (name: string): boolean => (sections as readonly string[]).includes(name)

/** What latency is measured of, among what is chosen; raw is always beside the others. */
export const latencyOf = ({ servers, cases: ids }: Choice): [ServerName[], Case['id'][]] => [
  latencyServers.filter((name) => name === 'raw' || servers.includes(name)),
  latencyCases.filter((id) => ids.includes(id)),
]

function requireLatency(choice: Choice): void {
  if (!choice.sections.includes('latency')) return
  const hasServer = latencyServers.some((name) => choice.servers.includes(name))
  if (hasServer && latencyOf(choice)[1].length > 0) return
  const known = [...latencyServers, ...latencyCases].join(', ')
  throw new Error(`--only: latency is measured of ${known} alone`)
}
