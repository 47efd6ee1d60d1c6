import { setTimeout as sleep } from 'node:timers/promises'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { type MetricName, metricList } from './metric-list.ts'
import type { QueueDepth } from './queues.ts'
import { createTally, createTimes } from './tally.ts'
import type { Telemetry } from './telemetry.ts'

/** What is asked for when somebody reads the metrics. */
export interface MetricSources {
  queues(): Promise<Record<string, QueueDepth>>
  isReady(): Promise<boolean>
  /** Requests that wait for a place. */
  waiting(): number
  build: Record<'version' | 'node' | 'store' | 'environment', string>
}

export interface Metrics extends Pick<Telemetry, 'request' | 'database' | 'delivery'> {
  /** An entry of the log at `error`. */
  fault(): void
  /** All of them, in the text format of Prometheus. */
  read(sources: MetricSources): Promise<string>
  contentType: string
}

/** Whoever reads the metrics waits ten seconds at most, and then has none. */
const patienceMs = 2000

const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const databaseBuckets = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5]

/** Counts what it is told of. Labels come from the contract, so there are only so many series. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const gauge = (name: MetricName, value?: () => number) => createGauge(registry, name, value)
  const gauges = {
    due: gauge('fds_queue_due'),
    oldest: gauge('fds_queue_oldest_due_seconds'),
    waiting: gauge('fds_queue_waiting'),
    requests: gauge('fds_requests_waiting'),
    ready: gauge('fds_ready'),
    build: gauge('fds_build_info'),
  }
  return {
    request: countRequests(registry),
    database: countDatabase(registry),
    delivery: countDeliveries(registry),
    fault: createTally(registry, describe('fds_faults_total')),
    contentType: registry.contentType,
    async read({ queues, isReady, waiting, build }) {
      gauges.build.set(build, 1)
      gauges.requests.set(waiting())
      // Without a database there is nothing to count, and the others are wanted most.
      const counted = Promise.race([queues(), sleep(patienceMs, {}, { ref: false })])
      const [ready, depths] = await Promise.all([isReady(), counted.catch(() => ({}))])
      gauges.ready.set(ready ? 1 : 0)
      for (const depth of [gauges.due, gauges.oldest, gauges.waiting]) depth.reset()
      for (const [queue, { due, waiting: all, oldestMs }] of Object.entries(depths)) {
        gauges.due.set({ queue }, due)
        gauges.waiting.set({ queue }, all)
        gauges.oldest.set({ queue }, oldestMs / 1000)
      }
      return registry.metrics()
    },
  }
}

const describe = (name: MetricName) => {
  const { help, labels } = metricList[name]
  return { name, help, labelNames: labels }
}

/** A gauge that is set when it is read, or by `value` as it is read. */
const createGauge = (registry: Registry, name: MetricName, value?: () => number): Gauge<string> =>
  new Gauge<string>({
    ...describe(name),
    registers: [registry],
    ...(value ? { collect: gaugeFrom(value) } : {}),
  })

const gaugeFrom = (value: () => number) =>
  function collect(this: Gauge<string>): void {
    this.set(value())
  }

function countRequests(registry: Registry): Telemetry['request'] {
  const total = createTally(registry, describe('fds_requests_total'))
  const shed = createTally(registry, describe('fds_requests_shed_total'))
  const duration = createTimes(registry, describe('fds_request_duration_seconds'), requestBuckets)
  let inFlight = 0
  createGauge(registry, 'fds_requests_in_flight', () => inFlight)
  return (trail) => {
    inFlight += 1
    return ({ status, ms }) => {
      const { operation, version = '', errorCode = '', method } = trail
      inFlight -= 1
      if (trail.shed) shed()
      total(operation, version, String(status ?? 'none'), errorCode)
      // What was refused unread took no time, and would hide how long the others take.
      if (!trail.shed && method !== 'none') duration(ms, operation)
    }
  }
}

function countDatabase(registry: Registry): Telemetry['database'] {
  const total = createTally(registry, describe('fds_database_work_total'))
  const retry = createTally(registry, describe('fds_database_retries_total'))
  const work = createTimes(
    registry,
    describe('fds_database_work_duration_seconds'),
    databaseBuckets,
  )
  const wait = createTimes(registry, describe('fds_database_wait_seconds'), databaseBuckets)
  let [running, waiting] = [0, 0]
  createGauge(registry, 'fds_database_running', () => running)
  createGauge(registry, 'fds_database_waiting', () => waiting)
  return (kind) => {
    let hasBegun = false
    waiting += 1
    return {
      begun() {
        hasBegun = true
        waiting -= 1
        running += 1
      },
      ended({ waitedMs, ms, tries, failed }) {
        if (hasBegun) running -= 1
        else waiting -= 1
        total(kind, failed ? 'failed' : 'done')
        for (let again = 1; again < tries; again += 1) retry()
        wait(waitedMs, kind)
        work(ms, kind)
      },
    }
  }
}

function countDeliveries(registry: Registry): Telemetry['delivery'] {
  const attempts = createTally(registry, describe('fds_delivery_attempts_total'))
  const ended = createTally(registry, describe('fds_deliveries_ended_total'))
  const duration = createTimes(
    registry,
    describe('fds_delivery_attempt_duration_seconds'),
    requestBuckets,
  )
  return ({ webhook, status, outcome, ms }) => {
    attempts(webhook, resultOf(status))
    duration(ms)
    if (outcome !== 'pending') ended(outcome)
  }
}

function resultOf(status: number | null): string {
  if (status === null) return 'unanswered'
  return status >= 200 && status < 300 ? 'accepted' : 'refused'
}
