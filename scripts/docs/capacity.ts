import { type Figures, readFigures } from '../bench/figures.ts'
import type { Throughput } from '../bench/rounds.ts'
import { markdownTable } from './markdown-table.ts'

/** What an Item asks for in a day, on average; the bench measures what each costs. */
const callsADay: Partial<Record<Throughput['case'], number>> = {
  transactionsSync: 4,
  accountsGet: 2,
  userCreate: 1,
}
const transactionsOfAnItem = 1650
/** The busiest hour to the average one. */
const peak = 3
/** How full a core may be, so that nobody waits. */
const fill = 0.6
const sizes = [1000, 100_000, 10_000_000, 1_000_000_000]
/** In dollars a month; of any provider, to be replaced by your own. */
const prices = { core: 30, gigabyte: 0.1 }
/** What one database node is given here. */
const node = { terabytes: 4, cores: 32 }
/** A file that one still wants to copy whole. */
const embeddedTerabytes = 0.1

/** What one request costs, in core seconds, and one transaction, in bytes. */
export interface Costs {
  service: number
  database: number
  bytes: number
}

/** What so many Items need. */
export interface Need {
  items: number
  /** Requests a second in the busiest hour. */
  requests: number
  serviceCores: number
  databaseCores: number
  terabytes: number
  nodes: number
  dollars: number
}

const calls = Object.values(callsADay).reduce((sum, count) => sum + count, 0)

/** The mean over the calls of a day; undefined where not all of it was measured. */
export function costsOf({ throughput, growth }: Figures): Costs | undefined {
  const world = growth?.worlds.filter(({ engine }) => engine === 'postgres').at(-1)
  const shares = Object.entries(callsADay).map(([id, count]) => {
    const row = throughput?.found.find((one) => one.server === 'postgres' && one.case === id)
    const { cpu, database } = row ?? {}
    return cpu == null || database == null ? undefined : { own: cpu - database, database, count }
  })
  const known = shares.flatMap((share) => share ?? [])
  if (!world || known.length < shares.length) return undefined
  const mean = (pick: (share: (typeof known)[number]) => number) =>
    known.reduce((sum, share) => sum + pick(share) * share.count, 0) / calls / 1e6
  return {
    service: mean(({ own }) => own),
    database: mean(({ database }) => database),
    bytes: (world.megabytes * 1e6) / world.size,
  }
}

export function needOf(items: number, { service, database, bytes }: Costs): Need {
  const requests = (items * calls * peak) / 86_400
  const serviceCores = (requests * service) / fill
  const databaseCores = (requests * database) / fill
  const terabytes = (items * transactionsOfAnItem * bytes) / 1e12
  const nodes = Math.max(
    1,
    Math.ceil(Math.max(terabytes / node.terabytes, databaseCores / node.cores)),
  )
  const whole = Math.ceil(serviceCores) + Math.ceil(databaseCores)
  const dollars = whole * prices.core + terabytes * 1000 * prices.gigabyte
  return { items, requests, serviceCores, databaseCores, terabytes, nodes, dollars }
}

/** What has to be added first from that size on. */
function endsFirst({ serviceCores, databaseCores, terabytes, nodes }: Need): string {
  if (nodes > 1) {
    const isDisk = terabytes / node.terabytes > databaseCores / node.cores
    return isDisk ? 'the disk of a node' : 'the cores of a node'
  }
  if (serviceCores > 1) return 'the core of a process'
  return terabytes > embeddedTerabytes ? 'the disk of one machine' : 'nothing'
}

/**
 * Answers a second of two processes, to what the costs of one leave room for when two cores do
 * everything, the load included; the median over the operations.
 */
export function modelFit({ throughput }: Figures): number | undefined {
  const found = throughput?.found ?? []
  const fits = found.flatMap(({ server, case: id, rate, generator }) => {
    const one = found.find((row) => row.server === 'postgres' && row.case === id)
    if (server !== 'postgres-2' || one?.cpu == null) return []
    return [(rate * one.cpu) / 1e6 / (2 - generator)]
  })
  return fits.sort((one, other) => one - other)[Math.floor(fits.length / 2)]
}

/** The model of capacity, for as far as its costs were measured. */
export function capacityTable(figures: Figures = readFigures()): string {
  const costs = costsOf(figures)
  const fit = modelFit(figures)
  if (!costs || fit === undefined) {
    return 'The costs that this table is made from have not been recorded in this checkout.'
  }
  const needs = sizes.map((items) => needOf(items, costs))
  const micro = (seconds: number) => `${Math.round(seconds * 1e6)} µs`
  return `An Item is taken to hold ${transactionsOfAnItem} transactions of ${Math.round(costs.bytes)} bytes with their
indexes, and to bring ${calls} calls a day: ${told()}. That is ${micro(costs.service)} of the service
and ${micro(costs.database)} of the database for a call. The busiest hour has ${peak} times the average, cores are
filled to ${fill * 100} %, a node has ${node.terabytes} TB and ${node.cores} cores.

${markdownTable(
  [
    'Items',
    'calls a second',
    'cores: service',
    'database',
    'data',
    'nodes',
    'ends first',
    '$ a month',
  ],
  needs.map((need) => [
    need.items.toLocaleString('en'),
    rounded(need.requests),
    rounded(need.serviceCores),
    rounded(need.databaseCores),
    `${rounded(need.terabytes)} TB`,
    need.nodes,
    endsFirst(need),
    Math.ceil(need.dollars),
  ]),
)}

Dollars are ${prices.core} for a core and ${prices.gigabyte} for a gigabyte a month, without copies, backups or traffic: put in your own.
Webhooks and work for later are not in it; \`userCreate\` stands for any write. Where it could be checked, two
processes on two cores that also made the load answered ${fit.toFixed(2)} of what the costs of one leave room for.`
}

const told = (): string =>
  Object.entries(callsADay)
    .map(([id, count]) => `${count} \`${id}\``)
    .join(', ')

const rounded = (value: number): string =>
  value.toLocaleString('en', { maximumSignificantDigits: 2 })
