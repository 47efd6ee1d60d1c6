/** The reason of a failure as the sandbox API takes it. */
export const toFailureReason = (
  failure_code: string | undefined,
): { failure_reason?: { failure_code: string } } =>
  failure_code === undefined ? {} : { failure_reason: { failure_code } }
