import type { Config } from '../config/config.ts'
import { ConfigError } from '../config/read-option.ts'
import { type MetricsServer, serveMetrics } from '../http/metrics-server.ts'
import type { Database } from '../kernel/database.ts'
import type { Log } from '../kernel/log.ts'
import { combine, type Telemetry } from '../kernel/telemetry.ts'
import { createLogger, toLog } from '../observe/log.ts'
import { logLines } from '../observe/log-lines.ts'
import type { Metrics } from '../observe/metrics.ts'
import { mostCounted, readQueues } from '../observe/queues.ts'
import { watchDatabase } from '../observe/watch-database.ts'
import { countDeadJobs } from '../queue/dead-job-store.ts'
import type { RunningService } from './create-service.ts'

/** The log, the telemetry and the metrics server. */
interface Observation {
  log: Log
  /** Logs a warning: nothing failed, but an operator should look. */
  warn(message: string): void
  telemetry: Telemetry
  /** Returns the database with telemetry, where metrics or traces are configured. */
  watch(database: Database): Database
  /** Serves the metrics of a running service, if the config says where. */
  serve(running: RunningService): Promise<MetricsServer | undefined>
}

/** Loads only the telemetry that the config asks for. */
export async function startTelemetry(config: Config): Promise<Observation> {
  const logger = createLogger(config.logLevel)
  const metrics = config.metrics && (await import('../observe/metrics.ts')).createMetrics()
  const traces =
    config.traces && (await import('../observe/traces.ts')).createTraces(await readVersion())
  const telemetry = combine([
    logLines(logger),
    ...(metrics ? [metrics] : []),
    ...(traces ? [traces] : []),
  ])
  const log = toLog(logger)
  return {
    log: metrics ? countingFaults(log, metrics) : log,
    warn: (message) => logger.warn(message),
    telemetry,
    watch: (database) => (metrics || traces ? watchDatabase(database, telemetry) : database),
    async serve(running) {
      if (!metrics || !config.metrics) return undefined
      const build = await describeBuild(config)
      const page = () => metrics.read(sourcesOf(running, build))
      return serveMetrics(config.metrics, { contentType: metrics.contentType, read: page }).catch(
        ({ message }: Error) => {
          throw new ConfigError(
            `${message}: choose another METRICS_PORT, or a METRICS_HOST of this machine`,
          )
        },
      )
    },
  }
}

const countingFaults = (log: Log, metrics: Metrics): Log => ({
  ...log,
  error(error, message) {
    metrics.fault()
    log.error(error, message)
  },
})

type Build = Record<'version' | 'node' | 'store' | 'environment', string>

const sourcesOf = ({ service, readiness, limiter }: RunningService, build: Build) => ({
  queues: () => readQueues(service.database, service.clock()),
  deadJobs: () => countDeadJobs(service.database.single, mostCounted),
  readiness: () => readiness.check(),
  waiting: limiter.waiting,
  build,
})

const describeBuild = async ({ databaseUrl, environment }: Config): Promise<Build> => ({
  version: await readVersion(),
  node: process.versions.node,
  store: databaseUrl === undefined ? 'sqlite' : 'postgresql',
  environment,
})

async function readVersion(): Promise<string> {
  const { default: manifest } = await import('../../../package.json', { with: { type: 'json' } })
  return manifest.version
}
