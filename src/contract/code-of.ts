import type { Issue } from '../validators/issues.ts'

/** The codes of faulty fields, in the order of the checks. */
export const stages = ['UNKNOWN_FIELDS', 'MISSING_FIELDS', 'INVALID_FIELD']

/** The code that a body is rejected with: that of the first stage that finds something. */
export function codeOf(issues: readonly Issue[], oauth: boolean): string | undefined {
  const codes = issues.map((issue) => issue.code)
  const code = stages.find((stage) => codes.includes(stage)) ?? codes[0]
  return oauth && code !== undefined && stages.includes(code) ? 'invalid_request' : code
}
