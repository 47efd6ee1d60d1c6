import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Program, startProgram } from './processes.ts'

/** This service as it is measured: built, with everything on. */
export interface ServiceProgram extends Program {
  /** The file of its log. */
  log: string
  /** Where its metrics are. */
  metrics: string
}

/** Tells it from the programs beside it. */
export const isServiceProgram = (program: Program): program is ServiceProgram => 'log' in program

export interface ServicePlan {
  /** The folder of the build. */
  dist: string
  /** Where data and log are kept. */
  folder: string
  /** Tells the processes of one folder apart. */
  name: string
  databaseUrl?: string
  fixture?: string
}

// All processes on one database share it.
const encryptionKey = randomBytes(32).toString('hex')

/** The program of a build. */
export const mainOf = (dist: string): string => join(dist, 'src/server/main.js')

/** Where it keeps its data. */
export const dataOf = ({ folder, databaseUrl }: ServicePlan): Record<string, string> =>
  databaseUrl === undefined
    ? { DATA_DIR: join(folder, 'data') }
    : { DATABASE_URL: databaseUrl, ENCRYPTION_KEY: encryptionKey }

export async function startService(plan: ServicePlan): Promise<ServiceProgram> {
  mkdirSync(plan.folder, { recursive: true })
  const log = join(plan.folder, `${plan.name}.log`)
  const program = await startProgram([mainOf(plan.dist), '--port', '0'], {
    env: {
      ...dataOf(plan),
      ...(plan.fixture === undefined ? {} : { FIXTURE: plan.fixture }),
      // That of production: a line for each request. The sandbox would only tell of troubles.
      LOG_LEVEL: 'info',
      METRICS_PORT: '0',
    },
    output: log,
  })
  const [, metrics = ''] = /metrics\s+(http\S+)/.exec(program.greeting) ?? []
  return { ...program, log, metrics }
}
