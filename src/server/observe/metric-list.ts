/** One metric of ours, as the operators' guide lists it. */
export interface MetricEntry {
  type: 'counter' | 'gauge' | 'histogram'
  labels: readonly string[]
  help: string
}

/** Every metric of the service; those of the process and of Node.js come beside them. */
export const metricList = {
  fds_requests_total: {
    type: 'counter',
    labels: ['operation', 'version', 'status', 'error_code'],
    help: 'requests that have ended; the status is `none` where the connection ended before the answer',
  },
  fds_request_duration_seconds: {
    type: 'histogram',
    labels: ['operation'],
    help: 'from the head of a request to the end of its answer',
  },
  fds_requests_in_flight: {
    type: 'gauge',
    labels: [],
    help: 'requests that have not ended yet',
  },
  fds_requests_shed_total: {
    type: 'counter',
    labels: [],
    help: 'requests that were refused with 503 since there were more than can be answered',
  },
  fds_requests_waiting: {
    type: 'gauge',
    labels: [],
    help: 'requests that wait to be let in',
  },
  fds_delivery_attempts_total: {
    type: 'counter',
    labels: ['webhook', 'result'],
    help: 'attempts to deliver a webhook: `accepted`, `refused` by a status that is no 2xx, or `unanswered`',
  },
  fds_deliveries_ended_total: {
    type: 'counter',
    labels: ['outcome'],
    help: 'webhooks with an end: `delivered`, or `failed` where no attempt is left',
  },
  fds_delivery_attempt_duration_seconds: {
    type: 'histogram',
    labels: [],
    help: 'from the connection to the status of the receiver',
  },
  fds_credentials_rejected_total: {
    type: 'counter',
    labels: ['credentials', 'result'],
    help: '`secret`, `public_key` or `bearer_token`: `wrong`, or `limited` where they were not checked after too many wrong ones',
  },
  fds_imports_total: {
    type: 'counter',
    labels: ['format', 'result'],
    help: 'imported files: `whole`, `partial` where something was left out, `nothing`, or `failed`',
  },
  fds_import_rows_total: {
    type: 'counter',
    labels: ['became'],
    help: 'rows of imported files: `new`, `known`, `merged`, `changed`, `removed` or `doubtful`',
  },
  fds_queue_due: {
    type: 'gauge',
    labels: ['queue'],
    help: 'rows of `jobs` and `deliveries` that are due, up to 10,000; all processes of a database tell the same',
  },
  fds_queue_oldest_due_seconds: {
    type: 'gauge',
    labels: ['queue'],
    help: 'for how long the oldest of them has been due',
  },
  fds_queue_waiting: {
    type: 'gauge',
    labels: ['queue'],
    help: 'rows that are due or will be, up to 10,000',
  },
  fds_jobs_dead: {
    type: 'gauge',
    labels: [],
    help: 'jobs that failed for good, up to 10,000: `jobs list` shows them; all processes of a database tell the same',
  },
  fds_database_work_total: {
    type: 'counter',
    labels: ['kind', 'result'],
    help: '`transaction`, `read` or `statement`, and whether it was `done` or `failed`',
  },
  fds_database_work_duration_seconds: {
    type: 'histogram',
    labels: ['kind'],
    help: 'from its beginning to its end, the commit included',
  },
  fds_database_wait_seconds: {
    type: 'histogram',
    labels: ['kind'],
    help: 'the wait before the work: in the queue on SQLite, for a connection on PostgreSQL',
  },
  fds_database_retries_total: {
    type: 'counter',
    labels: [],
    help: 'how often work was begun again: after a collision or a lost connection, or since work that shared its transaction had to be undone',
  },
  fds_database_running: {
    type: 'gauge',
    labels: [],
    help: 'work that has begun',
  },
  fds_database_waiting: {
    type: 'gauge',
    labels: [],
    help: 'work that waits to begin',
  },
  fds_ready: {
    type: 'gauge',
    labels: [],
    help: '1 where `/readyz` answers 200',
  },
  fds_writes_refused: {
    type: 'gauge',
    labels: [],
    help: '1 where the store takes no writes, as on a full disk, and `/readyz` says why at `writes`',
  },
  fds_faults_total: {
    type: 'counter',
    labels: [],
    help: 'entries of the log at `error`: requests that failed by a bug or since the store was unavailable, and background work that failed',
  },
  fds_build_info: {
    type: 'gauge',
    labels: ['version', 'node', 'store', 'environment'],
    help: 'always 1: what runs',
  },
} as const satisfies Record<string, MetricEntry>

/** The name of a metric. */
export type MetricName = keyof typeof metricList
