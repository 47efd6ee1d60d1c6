import type { ErrorCause } from '#contract/closed.ts'
import type { ErrorKey } from '../../../generated/errors.ts'
import { ApiError } from '../kernel/errors.ts'

/** The error that all reads of a failed report return. */
export function toFailure(failure: string | null): ApiError {
  const { key, causes } = JSON.parse(failure ?? '{}') as { key?: ErrorKey; causes?: ErrorCause[] }
  return new ApiError(key ?? 'ASSET_REPORT_GENERATION_FAILED', { causes: causes ?? [] })
}
