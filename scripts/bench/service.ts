import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Program, startProgram } from './processes.ts'

/** This service as it is measured: built, with production's log and with metrics. */
export interface ServiceProgram extends Program {
  /** The file of its log. */
  log: string
  /** Where its metrics are. */
  metrics: string
}

export const isServiceProgram = (program: Program): program is ServiceProgram => 'log' in program

interface ServicePlan {
  /** The folder of the build. */
  dist: string
  /** Where data and log are kept. */
  folder: string
  /** Distinguishes the logs of one folder's processes. */
  name: string
  databaseUrl?: string
  fixture?: string
  /** Without seed data. */
  production?: boolean
  nodeArgs?: readonly string[]
}

/** All processes on one database share it. */
export const encryptionKey = randomBytes(32).toString('hex')

/** The arguments that start a build's service, and its environment. */
export const launchOf = (plan: Omit<ServicePlan, 'name'>) => ({
  args: [...(plan.nodeArgs ?? []), join(plan.dist, 'src/server/main.js'), '--port', '0'],
  env: {
    ENCRYPTION_KEY: encryptionKey,
    ...(plan.databaseUrl === undefined
      ? { DATA_DIR: join(plan.folder, 'data') }
      : { DATABASE_URL: plan.databaseUrl }),
    ...(plan.fixture === undefined ? {} : { FIXTURE: plan.fixture }),
    ...(plan.production ? { SERVICE_ENV: 'production' } : {}),
    // Production's level: a line for each request. The sandbox would log errors only.
    LOG_LEVEL: 'info',
    METRICS_PORT: '0',
    // As the container image and the unit of systemd have it.
    MALLOC_ARENA_MAX: '2',
  },
})

export async function startService(plan: ServicePlan): Promise<ServiceProgram> {
  mkdirSync(plan.folder, { recursive: true })
  const log = join(plan.folder, `${plan.name}.log`)
  const { args, env } = launchOf(plan)
  const program = await startProgram(args, { env, output: log })
  const [, metrics = ''] = /metrics\s+(http\S+)/.exec(program.greeting) ?? []
  return { ...program, log, metrics }
}
