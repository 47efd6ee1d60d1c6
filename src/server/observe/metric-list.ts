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
    help: 'requests that have ended; the status is `none` if the connection ended before the answer',
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
    help: 'requests that were rejected with 503 because of overload',
  },
  fds_requests_waiting: {
    type: 'gauge',
    labels: [],
    help: 'requests that wait in the queue',
  },
  fds_delivery_attempts_total: {
    type: 'counter',
    labels: ['webhook', 'result'],
    help: 'attempts to deliver a webhook: `accepted`, `refused` (the status is not 2xx), or `unanswered`',
  },
  fds_deliveries_ended_total: {
    type: 'counter',
    labels: ['outcome'],
    help: 'webhooks that were `delivered`, or have `failed` without another attempt',
  },
  fds_delivery_attempt_duration_seconds: {
    type: 'histogram',
    labels: [],
    help: 'from the connection to the status of the receiver',
  },
  fds_credentials_rejected_total: {
    type: 'counter',
    labels: ['credentials', 'result'],
    help: '`secret`, `public_key` or `bearer_token`: `wrong`, or `limited` (not checked, after too many wrong ones)',
  },
  fds_imports_total: {
    type: 'counter',
    labels: ['format', 'result'],
    help: 'imported files: `whole`, `partial` (something was left out), `nothing`, or `failed`',
  },
  fds_import_rows_total: {
    type: 'counter',
    labels: ['became'],
    help: 'rows of imported files: `new`, `known`, `merged`, `changed`, `removed` or `doubtful`',
  },
  fds_pulls_total: {
    type: 'counter',
    labels: ['connector', 'result'],
    help: 'reads of Items from their sources: `done`, `login` or `setup` (the user must act), `limit` or `outage` (the source), `lost` (another process took over), or `failed`',
  },
  fds_pull_rows_total: {
    type: 'counter',
    labels: ['became'],
    help: 'rows of such reads: `new`, `known`, `merged`, `changed`, `removed` or `doubtful`',
  },
  fds_pull_duration_seconds: {
    type: 'histogram',
    labels: ['connector'],
    help: 'from the call of a source to the commit of its rows',
  },
  fds_queue_due: {
    type: 'gauge',
    labels: ['queue'],
    help: 'rows of `jobs` and `deliveries` that are due, up to 10,000; all processes of a database report the same number',
  },
  fds_queue_oldest_due_seconds: {
    type: 'gauge',
    labels: ['queue'],
    help: 'for how long the oldest due row has been due',
  },
  fds_queue_waiting: {
    type: 'gauge',
    labels: ['queue'],
    help: 'rows that are due now or later, up to 10,000',
  },
  fds_jobs_dead: {
    type: 'gauge',
    labels: [],
    help: 'jobs that failed and are not tried again, up to 10,000: `jobs list` shows them; all processes of a database report the same number',
  },
  fds_database_work_total: {
    type: 'counter',
    labels: ['kind', 'result'],
    help: '`transaction`, `read` or `statement`, and whether it was `done` or `failed`',
  },
  fds_database_work_duration_seconds: {
    type: 'histogram',
    labels: ['kind'],
    help: 'from the start of the work to its end, including the commit',
  },
  fds_database_wait_seconds: {
    type: 'histogram',
    labels: ['kind'],
    help: 'the wait before the work: in the queue on SQLite, for a connection on PostgreSQL',
  },
  fds_database_retries_total: {
    type: 'counter',
    labels: [],
    help: 'how often work was repeated: after a collision or a lost connection, or because work in the same transaction had to be undone',
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
    help: '1 if `/readyz` answers 200',
  },
  fds_writes_refused: {
    type: 'gauge',
    labels: [],
    help: '1 if the store rejects writes, for example on a full disk; `/readyz` has the reason at `writes`',
  },
  fds_faults_total: {
    type: 'counter',
    labels: [],
    help: 'log lines at `error`: requests that failed because of a bug or the store, and background work that failed',
  },
  fds_build_info: {
    type: 'gauge',
    labels: ['version', 'node', 'store', 'environment'],
    help: 'always 1: what runs',
  },
} as const satisfies Record<string, MetricEntry>

/** The name of a metric. */
export type MetricName = keyof typeof metricList
