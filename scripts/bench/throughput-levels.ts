import type { Case } from './cases.ts'
import { compare, compareSpread, type Level } from './levels.ts'
import type { ServerName } from './server-names.ts'
import type { Throughput } from './throughput.ts'

/** What one process has to reach on an engine. */
interface Limits {
  /** Requests a second at 50 connections, as a part of raw's: at first, and the aim. */
  raw: readonly [first: number, second: number]
  /** Requests for a second of CPU, as a part of the floor's. */
  floor?: number
}

type OfEngines = Record<'sqlite' | 'postgres', Limits>

const reads: OfEngines = {
  sqlite: { raw: [0.5, 0.65], floor: 0.55 },
  postgres: { raw: [0.4, 0.55], floor: 0.4 },
}
const pages: OfEngines = {
  sqlite: { raw: [0.4, 0.6], floor: 0.55 },
  postgres: { raw: [0.25, 0.45] },
}
const writes: OfEngines = {
  sqlite: { raw: [0.4, 0.55], floor: 0.4 },
  postgres: { raw: [0.22, 0.35], floor: 0.3 },
}

const limits: Partial<Record<Case['id'], OfEngines>> = {
  walletGet: reads,
  accountsGet: reads,
  transferGet: reads,
  transactionsSync: pages,
  transactionsGet: pages,
  institutionsSearch: {
    sqlite: { raw: [0.3, 0.45], floor: 0.55 },
    postgres: { raw: [0.25, 0.4] },
  },
  walletCreate: writes,
  userCreate: writes,
  protectEventSend: writes,
  oauthToken: {
    sqlite: { raw: [0.35, 0.5], floor: 0.4 },
    postgres: { raw: [0.22, 0.35], floor: 0.3 },
  },
}

/** The levels of throughput, where it was measured. */
export const throughputLevels = (rows: readonly Throughput[]): Level[] =>
  Object.entries(limits).flatMap(([id, engines]) => {
    const of = (server: ServerName) => rows.find((row) => row.server === server && row.case === id)
    return [
      ...(['sqlite', 'postgres'] as const).flatMap((server) =>
        engineLevels(`${id} on ${server}`, of(server), engines[server]),
      ),
      ...compare(`${id} on sqlite, × Prism`, of('sqlite')?.rate, of('prism')?.rate, { first: 10 }),
      ...compareSpread(`${id}, CPU of two processes, × one`, of('postgres-2')?.ofOne, {
        first: 1.15,
        atMost: true,
      }),
    ]
  })

/** The name of a level, which the page shows beside its figure as well. */
export const floorLevelName = (row: string): string => `${row}, for a second of CPU, × floor`

function engineLevels(name: string, row: Throughput | undefined, { raw, floor }: Limits): Level[] {
  const [first, second] = raw
  return [
    ...(floor === undefined
      ? []
      : compareSpread(floorLevelName(name), row?.ofFloor?.perCpu, { first: floor })),
    ...compareSpread(`${name}, × raw`, row?.ofRaw?.rate, { first, second }),
  ]
}
