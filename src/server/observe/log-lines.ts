import { createHmac, randomBytes } from 'node:crypto'
import type { Level, Logger } from 'pino'
import { paths as sandboxPaths } from '../../../generated/sandbox/operations.ts'
import type {
  DeliveryAttempt,
  DeniedCredentials,
  EndedImport,
  EndedPull,
  RequestEnd,
  RequestTrace,
  Telemetry,
} from '../kernel/telemetry.ts'
import { createRepeatLimiter } from './limit-repeats.ts'

/** Slower requests are logged as a warning. */
const slowMs = 2000

/** Frequent requests of monitors and browsers, logged at `debug` only. */
const quiet: readonly string[] = ['health', 'docs']

/** How often the log warns that requests are rejected under overload. */
const toldAgainMs = 10_000

type Told = 'request' | 'delivery' | 'denied' | 'imported' | 'pulled'

/** A line for each request, for each attempt to deliver a webhook, for each imported file and for each read of a source. */
export function logLines(logger: Logger): Pick<Telemetry, Told> {
  const denials = createRepeatLimiter()
  let toldShed = Number.NEGATIVE_INFINITY
  const tellShed = () => {
    const now = performance.now()
    if (now - toldShed < toldAgainMs) return
    toldShed = now
    logger.warn('more requests come than can be answered: some are refused')
  }
  return {
    request: (trace) => (end) => {
      if (trace.shed) tellShed()
      const level = levelOf(trace, end)
      if (logger.isLevelEnabled(level)) logger[level](toRequestLine(trace, end), 'request')
    },
    delivery(attempt) {
      // A failed attempt is a matter of the receiver. Only the last one is a warning.
      const level = attempt.outcome === 'failed' ? 'warn' : 'info'
      if (logger.isLevelEnabled(level)) logger[level](toDeliveryLine(attempt), 'delivery')
    },
    denied(credentials) {
      // A few wrong credentials are usual. Many are a warning.
      const level = credentials.limited ? 'warn' : 'info'
      const kept = denials.admit(level)
      if (kept === undefined) return
      logger[level](
        { ...toDenialLine(credentials), ...(kept > 0 ? { kept_back: kept } : {}) },
        message(credentials),
      )
    },
    imported(ended) {
      logger[ended.result === 'whole' ? 'info' : 'warn'](toImportLine(ended), 'import')
    },
    pulled(ended) {
      logger[quietPulls.includes(ended.result) ? 'info' : 'warn'](toPullLine(ended), 'pull')
    },
  }
}

function levelOf({ operation, injected, shed }: RequestTrace, { status, ms }: RequestEnd): Level {
  // A line for each that is shed would add to the load; metrics count them.
  if (shed || quiet.includes(operation)) return 'debug'
  if (injected) return 'info'
  if (status !== undefined && status >= 500) return 'warn'
  // Sandbox endpoints that advance the clock take as long as the work that becomes due.
  return ms > slowMs && !Object.hasOwn(sandboxPaths, operation) ? 'warn' : 'info'
}

const toRequestLine = (trace: RequestTrace, { status, ms, bytes }: RequestEnd) => ({
  request_id: trace.requestId,
  method: trace.method,
  operation: trace.operation,
  version: trace.version,
  status: status ?? null,
  error_code: trace.errorCode,
  duration_ms: round(ms),
  client_id: trace.clientId,
  bytes,
})

const message = ({ limited }: DeniedCredentials): string =>
  limited ? 'too many wrong credentials' : 'wrong credentials'

const toDenialLine = ({ kind, peer, forwarded, ...claim }: DeniedCredentials) => ({
  credentials: kind,
  ...toClaim(claim),
  peer: peer?.slice(0, 64),
  forwarded: forwarded || undefined,
})

/**
 * A sender that mixes up its two headers sends its secret as the id of its client. So only ids of clients
 * that exist are logged. A digest stands for others, so that repeated guesses can be grouped; its key is of
 * this process and in no file, so that nobody can find the text by trying.
 */
function toClaim({ claimed, isClient }: Pick<DeniedCredentials, 'claimed' | 'isClient'>) {
  if (claimed === undefined) return {}
  if (isClient) return { claimed_client: claimed.slice(0, 64) }
  const digest = createHmac('sha256', claimKey).update(claimed).digest('hex')
  return { claimed_digest: digest.slice(0, 12) }
}

const claimKey = randomBytes(32)

const toDeliveryLine = (attempt: DeliveryAttempt) => ({
  client_id: attempt.clientId,
  webhook_id: attempt.webhookId,
  webhook: attempt.webhook,
  host: hostOf(attempt.url),
  attempt: attempt.attempt,
  status: attempt.status,
  error: attempt.error ?? undefined,
  outcome: attempt.outcome,
  duration_ms: round(attempt.ms),
})

const toImportLine = ({ clientId, itemId, format, result, rows, ms }: EndedImport) => ({
  client_id: clientId,
  item_id: itemId,
  format,
  result,
  rows,
  duration_ms: round(ms),
})

/** What ends without an operator. */
const quietPulls: readonly EndedPull['result'][] = ['done', 'login', 'setup', 'lost']

const toPullLine = ({ clientId, itemId, connector, result, reason, rows, ms }: EndedPull) => ({
  client_id: clientId,
  item_id: itemId,
  connector,
  result,
  reason,
  rows,
  duration_ms: round(ms),
})

const round = (ms: number): number => Math.round(ms * 10) / 10

/** Paths and queries of receivers hold what their owners keep secret. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'malformed')
