import { errorCatalogue } from '../../generated/errors.ts'

/** What the error catalogue says of a code. */
export interface Advice {
  /** What happened, in a few words. */
  meaning: string
  /** What to do about it. */
  action: string
  /** Whether the same request may succeed: never, later by itself, or after the action. */
  retry: 'never' | 'later' | 'after-action'
}

/** What advice is looked up by; every {@link ServiceError} has it, and so has the `error` of a webhook. */
export interface Refusal {
  error_type: string
  error_code: string
  status?: number | null | undefined
}

/**
 * Tells what an error means and what to do about it, as the published error reference does.
 * Undefined for a code that this release does not know.
 *
 * @example
 * ```ts
 * import { createClient } from 'financial-data-service'
 * import { adviceFor } from 'financial-data-service/errors'
 *
 * const client = createClient({
 *   baseUrl: 'http://127.0.0.1:4000',
 *   clientId: 'sandbox-client',
 *   secret: 'sandbox-secret',
 * })
 * const { error } = await client.walletGet({ wallet_id: 'none' })
 * if (error) console.log(adviceFor(error)?.action)
 * ```
 */
export function adviceFor({ error_type, error_code, status }: Refusal): Advice | undefined {
  const entries = Object.values(errorCatalogue).filter(
    ({ type, code }) => code === error_code && type === error_type,
  )
  const entry = entries.find((entry) => entry.status === status) ?? entries[0]
  return entry && { meaning: entry.meaning, action: entry.action, retry: entry.retry }
}
