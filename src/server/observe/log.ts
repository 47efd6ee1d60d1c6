import { type DestinationStream, type Logger, pino } from 'pino'
import type { Log } from '../kernel/log.ts'
import { redact } from '../kernel/redact.ts'
import { createRepeatLimiter } from './limit-repeats.ts'
import { openOutput } from './log-output.ts'

/** Fields that no log line should have. Their values are redacted if one has them by mistake. */
const never = [
  'secret',
  'client_secret',
  'password',
  'token',
  'access_token',
  'refresh_token',
  'authorization',
  'headers',
  'body',
]

/** A log of one line of JSON for each entry. */
export function createLogger(level: string, destination: DestinationStream = openOutput()): Logger {
  return pino(
    {
      level,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // Paths into what lies deeper would cost more than all the rest of a line.
      redact: { paths: never, censor: '[redacted]' },
      serializers: { err: toLoggedError },
    },
    destination,
  )
}

/** The part of a logger that the service uses. */
export function toLog(logger: Logger): Log {
  const repeats = createRepeatLimiter()
  return {
    info: (details, message) => logger.info(details, message),
    warn: (details, message) => logger.warn(details, message),
    error(error, message) {
      const kept = repeats.admit(String(error))
      if (kept === undefined) return
      logger.error({ err: error, ...(kept > 0 ? { kept_back: kept } : {}) }, redact(message))
    },
  }
}

interface LoggedError {
  type: string
  message: string
  code?: string
  stack?: string
  cause?: LoggedError
}

/** How many nested causes are logged, since a cause can be its own cause. */
const mostCauses = 5

/** The known properties of an error, without those that a library added, such as values. */
function toLoggedError(error: unknown, levels = mostCauses): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: redact(String(error)) }
  const { name, message, stack, cause } = error
  const { code } = error as NodeJS.ErrnoException
  return {
    type: name,
    message: redact(message),
    ...(typeof code === 'string' ? { code } : {}),
    ...(stack === undefined ? {} : { stack: redact(stack) }),
    ...(cause instanceof Error && levels > 0 ? { cause: toLoggedError(cause, levels - 1) } : {}),
  }
}
