import type { Context } from './context.ts'
import { ApiError } from './errors.ts'

/**
 * Rejects what only a bank or a payment service can do. The sandbox simulates it; in production
 * nothing is invented.
 */
export function requireProvider({ settings }: Pick<Context, 'settings'>): void {
  if (settings.environment === 'sandbox') return
  const message = 'this operation needs a provider, and none is connected to this service'
  const action = 'Use the sandbox, which simulates this operation. No setting enables it here.'
  throw new ApiError('INVALID_INPUT.UNAUTHORIZED_ROUTE_ACCESS.400', { message, action })
}
