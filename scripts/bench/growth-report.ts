import type { Taken } from './figures.ts'
export type Engine = 'sqlite' | 'postgres'

/** One case at one size. */
export interface GrowthRow {
  engine: Engine
  size: number
  name: string
  isExcepted: boolean
  /** Microseconds of CPU for a request, the database's included; absent where the system does not report it. */
  cpu?: number
  /** In ms, one request after the other. */
  p50: number
  p99: number
  /** Of this size to the smallest one, measured by turns. */
  ratio: number
}

/** A world, and what the service takes to hold it. */
export interface GrowthWorld {
  engine: Engine
  size: number
  megabytes: number
  loadSeconds: number
  /** Resident MB of the service after all cases. */
  memory?: number
}

/** The same page may cost so many times as much in a larger database. */
const mostGrowth = 1.2

/** In transactions. */
export const usualSizes = [10_000, 100_000, 1_000_000, 10_000_000]

export interface Growth {
  taken: Taken
  rows: GrowthRow[]
  worlds: GrowthWorld[]
}

/** The cases that cost more than they may. */
export const tooMuch = ({ rows }: Growth): GrowthRow[] =>
  rows.filter(({ ratio, isExcepted }) => !(ratio <= mostGrowth) && !isExcepted)

/** A case that asks for what no size changes shows what the machine does to the others. */
export const caseTitle = (name: string): string =>
  name === 'walletGet' ? 'walletGet, which does not grow (control)' : name

/** `10 k`, `1 M`. */
export const sizeName = (size: number): string =>
  size >= 1e6 ? `${size / 1e6} M` : `${size / 1000} k`

export const engineNames: Record<Engine, string> = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

/** The figures as lines of text. */
export function toText({ rows, worlds }: Growth): string {
  return Object.entries(engineNames)
    .flatMap(([engine, title]) => {
      const own = rows.filter((row) => row.engine === engine)
      if (own.length === 0) return []
      return [
        `\n${title}`.padEnd(73) + heads.map((head) => head.padStart(9)).join(''),
        ...own.map(toLine),
        ...worlds.filter((world) => world.engine === engine).map(toWorldLine),
      ]
    })
    .join('\n')
}

const heads = ['CPU µs', 'p50 ms', 'p99 ms', 'ratio']

function toLine({ size, name, cpu, p50, p99, ratio, isExcepted }: GrowthRow): string {
  const verdict = isExcepted ? ' excepted' : ratio <= mostGrowth ? '' : ' MISSED'
  const figures = [cpu?.toFixed(0) ?? '-', p50.toFixed(2), p99.toFixed(2), ratio.toFixed(2)]
  const start = `  ${sizeName(size).padEnd(7)}${caseTitle(name)}`.padEnd(72)
  return start + figures.map((figure) => figure.padStart(9)).join('') + verdict
}

const toWorldLine = ({ size, megabytes, loadSeconds, memory }: GrowthWorld): string =>
  `  ${sizeName(size).padEnd(7)}${Math.round(megabytes)} MB on disk, loaded in ${Math.round(loadSeconds)} s; ` +
  `the service takes ${memory ?? '?'} MB of memory`
