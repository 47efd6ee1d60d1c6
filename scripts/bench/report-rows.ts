import type { ColdStart } from './cold-start.ts'
import type { Memory } from './figures.ts'
import type { Latency } from './latency.ts'
import type { Project } from './project.ts'
import type { Validators } from './validators.ts'
import type { Webhooks } from './webhooks.ts'

// Figures are rounded here, where they are shown, and nowhere before.

export type Cell = string | number

/** Each figure with its words. */
export const coldStartRows = ({ empty, service, first, times }: ColdStart): Cell[][] => [
  [`empty node:http server, median of ${times}`, Math.round(empty)],
  [`this service, warm folder, median of ${times}`, Math.round(service)],
  ['this service, its first start', Math.round(first)],
]

export const latencyRows = (found: readonly Latency[]): Cell[][] =>
  found.map((row) => [
    row.case,
    row.server,
    Math.round(row.rate),
    toTenths(row.p50),
    toTenths(row.p99),
  ])

/** In MB: of the service by itself, and of a process of each server. */
export const memoryRows = (
  { idle, idleFirst, servers }: Memory,
  title: (row: Memory['servers'][number]) => string,
): Cell[][] => [
  ...(idleFirst === undefined
    ? []
    : [['this service with its seed data, its first start', idleFirst, '', '']]),
  ['this service with its seed data, its second start', idle ?? '', '', ''],
  ...servers.map((row) => [title(row), row.started, row.loaded, row.rested ?? '']),
]

export const projectRows = ({ generate, typecheck, consumer }: Project): Cell[][] => [
  ['npm run generate', toTenths(generate)],
  ['npm run typecheck', toTenths(typecheck)],
  ['the types of a program that calls one operation', toTenths(consumer)],
]

export const validatorRows = ({ generated, stock, fast }: Validators): Cell[][] => [
  ['the generated validators', Math.round(generated)],
  ['Ajv with all formats', Math.round(stock)],
  ['Ajv with its fast formats', Math.round(fast)],
]

export const webhookRows = (found: Webhooks): Cell[][] => [
  ['verified deliveries a second', Math.round(found.rate)],
  ['of so many', found.delivered],
  ['part of a core that the receiver used', showShare(found.receiver)],
  [
    `p99 of ${Math.round(found.reads)} reads a second (30 %) beside ${found.writes} writes a second, ms`,
    toTenths(found.without),
  ],
  ['the same where each of these writes is delivered as a webhook, ms', toTenths(found.with)],
  ['part of a core that the receiver used then', showShare(found.receiverThen)],
]

export const toTenths = (value: number): number => Math.round(value * 10) / 10

export const showShare = (part: number | null): string =>
  part === null ? 'not measured' : `${Math.round(part * 100)} %`
