import { setTimeout as sleep } from 'node:timers/promises'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { ReadyState } from '../kernel/readiness.ts'
import type { Telemetry } from '../kernel/telemetry.ts'
import { type MetricName, metricList } from './metric-list.ts'
import type { QueueDepth } from './queues.ts'

/** What a scrape reads from the rest of the service. */
interface MetricSources {
  queues(): Promise<Record<string, QueueDepth>>
  deadJobs(): Promise<number>
  readiness(): Promise<ReadyState>
  /** Requests that the concurrency limiter has not admitted yet. */
  waiting(): number
  build: Record<'version' | 'node' | 'store' | 'environment', string>
}

type Counted = 'request' | 'database' | 'delivery' | 'denied' | 'imported' | 'pulled'

export interface Metrics extends Pick<Telemetry, Counted> {
  /** Counts an entry of the log at `error`. */
  fault(): void
  /** Returns all metrics in the text format of Prometheus. */
  read(sources: MetricSources): Promise<string>
  contentType: string
}

/** A scrape times out after ten seconds by default, so the database gets only a part of that. */
const databaseTimeoutMs = 2000

const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const pullBuckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60]
const databaseBuckets = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5]

/** Collects the metrics. Labels come from the contract, so the number of series is bounded. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const make = metricsOf(registry)
  const faults = make.counter('fds_faults_total')
  const setGauges = scrapeGauges(make)
  return {
    request: countRequests(make),
    database: countDatabase(make),
    delivery: countDeliveries(make),
    denied: countDenials(make),
    imported: countImports(make),
    pulled: countPulls(make),
    fault: () => faults.inc(),
    contentType: registry.contentType,
    async read({ queues, deadJobs, readiness, waiting, build }) {
      // The other metrics matter most when the database does not answer.
      const counted = Promise.race([
        Promise.all([queues(), deadJobs()]),
        sleep(databaseTimeoutMs, notCounted, { ref: false }),
      ])
      const [state, [depths, dead]] = await Promise.all([
        readiness(),
        counted.catch(() => notCounted),
      ])
      setGauges({ depths, dead, waiting: waiting(), state, build })
      return registry.metrics()
    },
  }
}

const notCounted: [Record<string, QueueDepth>, number | undefined] = [{}, undefined]

type Make = ReturnType<typeof metricsOf>

/** Registers the metrics of the list by their names. */
function metricsOf(registry: Registry) {
  const describe = (name: MetricName) => {
    const { help, labels } = metricList[name]
    return { name, help, labelNames: labels as readonly string[], registers: [registry] }
  }
  return {
    counter: (name: MetricName) => new Counter(describe(name)),
    gauge: (name: MetricName) => new Gauge(describe(name)),
    /** A gauge whose value is read at each scrape, since setting it at each change takes longer. */
    readGauge: (name: MetricName, read: () => number) =>
      new Gauge({
        ...describe(name),
        collect() {
          this.set(read())
        },
      }),
    histogram: (name: MetricName, buckets: number[]) =>
      new Histogram({ ...describe(name), buckets }),
  }
}

function countRequests(make: Make): Telemetry['request'] {
  const total = make.counter('fds_requests_total')
  const shed = make.counter('fds_requests_shed_total')
  const duration = make.histogram('fds_request_duration_seconds', requestBuckets)
  let inFlight = 0
  make.readGauge('fds_requests_in_flight', () => inFlight)
  return (trace) => {
    inFlight += 1
    return ({ status = 'none', ms }) => {
      const { operation, version = '', errorCode: error_code = '', method } = trace
      inFlight -= 1
      if (trace.shed) shed.inc()
      total.inc({ operation, version, status, error_code })
      // Requests that are rejected unread take no time, and would hide the durations of the others.
      if (!trace.shed && method !== 'none') duration.observe({ operation }, ms / 1000)
    }
  }
}

function countDatabase(make: Make): Telemetry['database'] {
  const total = make.counter('fds_database_work_total')
  const retries = make.counter('fds_database_retries_total')
  const duration = make.histogram('fds_database_work_duration_seconds', databaseBuckets)
  const wait = make.histogram('fds_database_wait_seconds', databaseBuckets)
  let [running, waiting] = [0, 0]
  make.readGauge('fds_database_running', () => running)
  make.readGauge('fds_database_waiting', () => waiting)
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
        total.inc({ kind, result: failed ? 'failed' : 'done' })
        if (tries > 1) retries.inc(tries - 1)
        wait.observe({ kind }, waitedMs / 1000)
        duration.observe({ kind }, ms / 1000)
      },
    }
  }
}

function countDeliveries(make: Make): Telemetry['delivery'] {
  const attempts = make.counter('fds_delivery_attempts_total')
  const ended = make.counter('fds_deliveries_ended_total')
  const duration = make.histogram('fds_delivery_attempt_duration_seconds', requestBuckets)
  return ({ webhook, status, outcome, ms }) => {
    attempts.inc({ webhook, result: resultOf(status) })
    duration.observe(ms / 1000)
    if (outcome !== 'pending') ended.inc({ outcome })
  }
}

function resultOf(status: number | null): string {
  if (status === null) return 'unanswered'
  return status >= 200 && status < 300 ? 'accepted' : 'refused'
}

function countDenials(make: Make): Telemetry['denied'] {
  const total = make.counter('fds_credentials_rejected_total')
  return ({ kind, limited }) =>
    total.inc({ credentials: kind, result: limited ? 'limited' : 'wrong' })
}

function countImports(make: Make): Telemetry['imported'] {
  const total = make.counter('fds_imports_total')
  const counted = make.counter('fds_import_rows_total')
  return ({ format, result, rows }) => {
    total.inc({ format, result })
    for (const [became, count] of Object.entries(rows)) counted.inc({ became }, count)
  }
}

function countPulls(make: Make): Telemetry['pulled'] {
  const total = make.counter('fds_pulls_total')
  const counted = make.counter('fds_pull_rows_total')
  const duration = make.histogram('fds_pull_duration_seconds', pullBuckets)
  return ({ connector, result, rows, ms }) => {
    total.inc({ connector, result })
    duration.observe({ connector }, ms / 1000)
    for (const [became, count] of Object.entries(rows)) counted.inc({ became }, count)
  }
}

interface Scraped {
  depths: Record<string, QueueDepth>
  dead: number | undefined
  waiting: number
  state: ReadyState
  build: MetricSources['build']
}

/** The gauges that only a scrape sets. */
function scrapeGauges({ gauge }: Make): (scraped: Scraped) => void {
  const due = gauge('fds_queue_due')
  const oldestDue = gauge('fds_queue_oldest_due_seconds')
  const queued = gauge('fds_queue_waiting')
  const deadJobs = gauge('fds_jobs_dead')
  const requestsWaiting = gauge('fds_requests_waiting')
  const ready = gauge('fds_ready')
  const writesRefused = gauge('fds_writes_refused')
  const buildInfo = gauge('fds_build_info')
  return ({ depths, dead, waiting, state, build }) => {
    // What could not be counted is left out: the counts of an earlier scrape may be wrong by now.
    for (const counted of [due, oldestDue, queued]) counted.reset()
    deadJobs.remove()
    for (const [queue, depth] of Object.entries(depths)) {
      due.set({ queue }, depth.due)
      oldestDue.set({ queue }, depth.oldestMs / 1000)
      queued.set({ queue }, depth.waiting)
    }
    if (dead !== undefined) deadJobs.set(dead)
    requestsWaiting.set(waiting)
    ready.set(state.ready ? 1 : 0)
    writesRefused.set(state.checks.writes.startsWith('refused') ? 1 : 0)
    buildInfo.set(build, 1)
  }
}
