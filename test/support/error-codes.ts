import { codeOf, stages } from '../../src/contract/code-of.ts'
import type { Issue } from '../../src/validators/issues.ts'
import type { Case } from './bodies.ts'

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
