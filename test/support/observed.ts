import { combine, type Telemetry } from '../../src/server/kernel/telemetry.ts'
import { createLogger, toLog } from '../../src/server/observe/log.ts'
import { logLines } from '../../src/server/observe/log-lines.ts'
import { createMetrics, type Metrics } from '../../src/server/observe/metrics.ts'
import { watchDatabase } from '../../src/server/observe/watch-database.ts'
import { openTestStore } from './engine.ts'
import { startService, type TestService } from './service.ts'

const checks = { accepting: 'ok', database: 'ok', migrations: 'ok', writes: 'ok' }

export type Line = Record<string, unknown> & { msg: string }

/** A service on one process that is watched, as `start` would have it. */
export interface ObservedService {
  service: TestService
  /** Where it listens. */
  url: string
  metrics: Metrics
  /** What a scrape would have. */
  readMetrics(): Promise<string>
  /** Everything that was logged. */
  output(): string
  /** The lines with this message. */
  lines(message: string): Line[]
  /** May be called again. */
  close(): Promise<void>
}

/** Starts a service that logs into memory, counts, and tells `others` too. */
export async function startObserved(
  level = 'info',
  others: readonly Partial<Telemetry>[] = [],
): Promise<ObservedService> {
  const written: string[] = []
  const logger = createLogger(level, { write: (line) => void written.push(line) })
  const metrics = createMetrics()
  const telemetry = combine([logLines(logger), metrics, ...others])
  const store = await openTestStore()
  const [database, ...rest] = store.databases
  for (const other of rest) await other.close()
  if (!database) throw new Error('there is no store')
  const service = await startService({
    database: watchDatabase(database, telemetry),
    telemetry,
    log: toLog(logger),
  })
  let closed: Promise<void> | undefined
  const closeAll = async () => {
    await service.close()
    await telemetry.close()
    await store.remove()
  }
  const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
  const all = (): Line[] => written.map((line) => JSON.parse(line))
  return {
    service,
    url,
    metrics,
    readMetrics: () =>
      metrics.read({
        queues: async () => ({}),
        deadJobs: async () => 0,
        readiness: async () => ({ ready: true, checks }),
        waiting: service.limiter.waiting,
        build: { version: '0', node: '24', store: 'any', environment: 'sandbox' },
      }),
    output: () => written.join(''),
    lines: (message) => all().filter(({ msg }) => msg === message),
    close() {
      closed ??= closeAll()
      return closed
    },
  }
}
