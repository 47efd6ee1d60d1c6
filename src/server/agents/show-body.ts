import { redact } from '../kernel/redact.ts'
import { maskBody } from '../pipeline/mask-body.ts'
import { hideNumbers } from './mark-outside.ts'

/** What questions about accounts and transactions are about, beside plain fields. */
const ofAccounts: ReadonlySet<string> = new Set([
  ...['name', 'official_name', 'merchant_name', 'original_description', 'description'],
  ...['amount', 'current', 'available', 'limit', 'iso_currency_code', 'date', 'authorized_date'],
])
const nothing: ReadonlySet<string> = new Set()
/** Where a `name` is none of a person. */
const impersonal = /^\/(?:sandbox\/)?(?:accounts?|transactions|institutions?)\//

const unreadable = '(not shown: it is not JSON, or too long to be stored whole)'

/**
 * A body as an agent sees it. Fields whose values can tell about a person are masked, and all that nobody has
 * described. Null where there was none.
 */
export function showBody(body: string | null, path: string): string | null {
  if (body === null) return null
  const shown = maskBody(body, impersonal.test(path) ? ofAccounts : nothing)
  if (shown === null) return unreadable
  return JSON.stringify(JSON.parse(shown), (name, value) =>
    typeof value === 'string' && ofAccounts.has(name) && !day.test(value)
      ? hideNumbers(redact(value))
      : value,
  )
}

const day = /^\d{4}-\d\d-\d\d$/

/** The answer of `get_request` with its bodies like that. */
export function withoutPerson(answer: Record<string, unknown>): object {
  const { request, request_body, response_body } = answer as {
    request: { path: string }
    request_body: string | null
    response_body: string | null
  }
  return {
    ...answer,
    request_body: showBody(request_body, request.path),
    response_body: showBody(response_body, request.path),
  }
}
