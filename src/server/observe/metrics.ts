import { setTimeout as sleep } from 'node:timers/promises'
import type { Metric, PrometheusContentType, Registry } from 'prom-client'
import type { ReadyState } from '../kernel/readiness.ts'
import type { Telemetry } from '../kernel/telemetry.ts'
import { countDatabase, countDeliveries, countDenials, countRequests } from './count-work.ts'
import { describe, metricList } from './metric-list.ts'
import type { QueueDepth } from './queues.ts'
import { createCounter, createGauge, type Measured, type Series } from './tally.ts'

/** What is asked for when somebody reads the metrics. */
export interface MetricSources {
  queues(): Promise<Record<string, QueueDepth>>
  deadJobs(): Promise<number>
  readiness(): Promise<ReadyState>
  /** Requests that wait for a place. */
  waiting(): number
  build: Record<'version' | 'node' | 'store' | 'environment', string>
}

export interface Metrics extends Pick<Telemetry, 'request' | 'database' | 'delivery' | 'denied'> {
  /** An entry of the log at `error`. */
  fault(): void
  /** All of them, in the text format of Prometheus. */
  read(sources: MetricSources): Promise<string>
  contentType: string
}

/** Whoever reads the metrics waits ten seconds at most, and then has none. */
const patienceMs = 2000

const contentType: PrometheusContentType = 'text/plain; version=0.0.4; charset=utf-8'

/** What only a reader wants to know, as it was found for the last one. */
interface Found {
  depths: Record<string, QueueDepth>
  deadJobs: number | undefined
  waiting: number
  state: ReadyState
  build: MetricSources['build']
}

/** Counts what it is told of. Labels come from the contract, so there are only so many series. */
export function createMetrics(): Metrics {
  const all: Series[] = []
  const fault = createCounter(all, describe('fds_faults_total'))
  const metrics = {
    request: countRequests(all),
    database: countDatabase(all),
    delivery: countDeliveries(all),
    denied: countDenials(all),
    fault,
  }
  let found: Found | undefined
  gaugeFound(all, () => found)
  let registry: Promise<Registry> | undefined
  const open = () => {
    registry ??= openRegistry(all)
    return registry
  }
  // Not while the first ones wait for their answers.
  setTimeout(() => open().catch(() => {}), loadAfterMs).unref()
  return {
    ...metrics,
    contentType,
    async read({ queues, deadJobs, readiness, waiting, build }) {
      // Without a database there is nothing to count, and the others are wanted most.
      const counted = Promise.race([
        Promise.all([queues(), deadJobs()]),
        sleep(patienceMs, nothing, { ref: false }),
      ])
      const [state, [depths, dead]] = await Promise.all([readiness(), counted.catch(() => nothing)])
      found = { depths, deadJobs: dead, waiting: waiting(), state, build }
      return (await open()).metrics()
    },
  }
}

/** No queues, and no count of dead jobs. */
const nothing: [Record<string, QueueDepth>, number | undefined] = [{}, undefined]
const loadAfterMs = 1000

/** Loads what knows the text format, and what there is to know of the process. */
async function openRegistry(all: readonly Series[]): Promise<Registry> {
  const { default: prometheus } = await import('prom-client')
  const registry = new prometheus.Registry()
  prometheus.collectDefaultMetrics({ register: registry })
  for (const { name, help, type, read } of all) {
    const metric = {
      name,
      get: async () => ({ name, help, type, values: read(), aggregator: 'sum' }),
    }
    // Of a metric the registry uses no more than this; its type names the classes that it brings.
    registry.registerMetric(metric as unknown as Metric<string>)
  }
  return registry
}

/** What was found when somebody asked. */
function gaugeFound(all: Series[], find: () => Found | undefined): void {
  const perQueue = (value: (depth: QueueDepth) => number) => (): Measured =>
    Object.entries(find()?.depths ?? {}).map(([queue, depth]) => [[queue], value(depth)])
  createGauge(
    all,
    describe('fds_queue_due'),
    perQueue(({ due }) => due),
  )
  createGauge(all, describe('fds_queue_oldest_due_seconds'), perQueue(oldestSeconds))
  createGauge(
    all,
    describe('fds_queue_waiting'),
    perQueue(({ waiting }) => waiting),
  )
  createGauge(all, describe('fds_jobs_dead'), () => {
    const dead = find()?.deadJobs
    return dead === undefined ? [] : [[[], dead]]
  })
  createGauge(all, describe('fds_requests_waiting'), () => find()?.waiting ?? 0)
  createGauge(all, describe('fds_ready'), () => (find()?.state.ready ? 1 : 0))
  createGauge(all, describe('fds_writes_refused'), () =>
    find()?.state.checks.writes.startsWith('refused') ? 1 : 0,
  )
  createGauge(all, describe('fds_build_info'), () => {
    const build = find()?.build
    return build ? [[metricList.fds_build_info.labels.map((label) => build[label]), 1]] : []
  })
}

const oldestSeconds = ({ oldestMs }: QueueDepth): number => oldestMs / 1000
