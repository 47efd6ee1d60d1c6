import type { Issue } from '../../src/validators/issues.ts'
import type { Case } from './bodies.ts'

const stages = ['UNKNOWN_FIELDS', 'MISSING_FIELDS', 'INVALID_FIELD']

/** The code that a body is rejected with: that of the first stage that finds something. */
export function codeOf(issues: readonly Issue[], oauth: boolean): string | undefined {
  const codes = issues.map((issue) => issue.code)
  const code = stages.find((stage) => codes.includes(stage)) ?? codes[0]
  return oauth && code !== undefined && stages.includes(code) ? 'invalid_request' : code
}

/** Lists the cases whose outcome is another than the facts say. */
export function misjudged(
  cases: Case[],
  issuesOf: (body: unknown) => readonly Issue[],
  oauth = false,
): string[] {
  return cases.flatMap(({ name, body, code }) => {
    const expected = oauth && code !== undefined && stages.includes(code) ? 'invalid_request' : code
    const issues = issuesOf(body)
    const actual = codeOf(issues, oauth)
    if (actual === expected) return []
    const where = issues.map((issue) => `${issue.path || '$'} ${issue.code}`).join(', ')
    return [
      `${name}: the facts say ${expected ?? 'accepted'}, the contract ${actual ?? 'accepted'} (${where || 'no issue'})`,
    ]
  })
}
