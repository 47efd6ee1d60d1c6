import type { SandboxCustomUserInput } from '../../../../generated/sandbox/closed.ts'
import {
  SandboxCustomUserInput as customUser,
  SandboxLiabilityInput as liability,
} from '../../../../generated/sandbox/validators/components.js'
import type { Issue } from '../../../validators/issues.ts'
import { liabilityKindOf } from '../../items/liability.ts'
import { invalidField } from '../../kernel/errors.ts'
import { flawOf } from '../../pipeline/parse-body.ts'
import { withoutNull } from './liability-input.ts'

const field = 'options.override_password'
const mostNamed = 20

/** Throws the errors inside the text, each with its path there. */
function reject(issues: readonly Pick<Issue, 'path' | 'message'>[]): never {
  const named = issues.slice(0, mostNamed).map(({ path, message }) => {
    return path === '' ? `\`${field}\` ${message}` : `\`${field}\` at \`${path}\`: ${message}`
  })
  throw invalidField(named.join('; '))
}

/** Parses the data of a custom user from its JSON text. */
export function readCustomUser(text: string): SandboxCustomUserInput {
  // Escapes inside the text are not covered by the check of the body.
  const flaw = flawOf(text)
  const user = parse(text)
  if (flaw) reject([{ path: '', message: flaw.replace(/^the body /, '') }])
  if (!customUser.is(user)) reject(customUser.issues(user))
  const issues = user.override_accounts.flatMap((account, index) => {
    if (!account.liability) return []
    const path = `override_accounts[${index}].liability`
    if (!liabilityKindOf(account)) {
      return [{ path, message: 'is for credit cards, student loans and mortgages only' }]
    }
    return findLiabilityIssues(account.liability).map((issue) => ({
      ...issue,
      path: `${path}.${issue.path}`,
    }))
  })
  if (issues.length > 0) reject(issues)
  return user
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The rest of the parser's message would contain parts of the value.
    return reject([{ path: '', message: 'must be a JSON text' }])
  }
}

/** Unknown fields are ignored here, at every level. */
const findLiabilityIssues = (given: object): Issue[] =>
  liability.issues(withoutNull(given)).filter(({ code }) => code !== 'UNKNOWN_FIELDS')
