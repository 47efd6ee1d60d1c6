import type { Telemetry } from '../kernel/telemetry.ts'
import { describe } from './metric-list.ts'
import { createCounter, createGauge, createTimes, type Series } from './tally.ts'

const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const databaseBuckets = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5]

/** Counts requests, and how long each operation takes. */
export function countRequests(all: Series[]): Telemetry['request'] {
  const total = createCounter(all, describe('fds_requests_total'))
  const shed = createCounter(all, describe('fds_requests_shed_total'))
  const duration = createTimes(all, describe('fds_request_duration_seconds'), requestBuckets)
  let inFlight = 0
  createGauge(all, describe('fds_requests_in_flight'), () => inFlight)
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

/** Counts what is done in the database, what waits for that, and how long both take. */
export function countDatabase(all: Series[]): Telemetry['database'] {
  const total = createCounter(all, describe('fds_database_work_total'))
  const retry = createCounter(all, describe('fds_database_retries_total'))
  const work = createTimes(all, describe('fds_database_work_duration_seconds'), databaseBuckets)
  const wait = createTimes(all, describe('fds_database_wait_seconds'), databaseBuckets)
  let [running, waiting] = [0, 0]
  createGauge(all, describe('fds_database_running'), () => running)
  createGauge(all, describe('fds_database_waiting'), () => waiting)
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

/** Counts attempts to deliver webhooks, and what became of these. */
export function countDeliveries(all: Series[]): Telemetry['delivery'] {
  const attempts = createCounter(all, describe('fds_delivery_attempts_total'))
  const ended = createCounter(all, describe('fds_deliveries_ended_total'))
  const duration = createTimes(
    all,
    describe('fds_delivery_attempt_duration_seconds'),
    requestBuckets,
  )
  return ({ webhook, status, outcome, ms }) => {
    attempts(webhook, resultOf(status))
    duration(ms)
    if (outcome !== 'pending') ended(outcome)
  }
}

/** Counts credentials that let nobody in. */
export function countDenials(all: Series[]): Telemetry['denied'] {
  const total = createCounter(all, describe('fds_credentials_rejected_total'))
  return ({ kind, limited }) => total(kind, limited ? 'limited' : 'wrong')
}

function resultOf(status: number | null): string {
  if (status === null) return 'unanswered'
  return status >= 200 && status < 300 ? 'accepted' : 'refused'
}
