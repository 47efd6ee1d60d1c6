import { checkForm } from './check-connector.ts'
import { isFields, isJson, isWhole } from './fields.ts'

/** How long a secret may be, in characters of JSON. */
const longestSecret = 64 * 1024

/** Lists what is wrong with a step, as `field must be …`. `state` is that of the context. */
export function issuesOfStep(step: unknown, state: string, allowsHttp = false): string[] {
  const issues: string[] = []
  const reject = (path: string, expected: string) => {
    issues.push(`\`${path}\` must be ${expected}`)
  }
  if (!isFields(step)) return ['a step must be an object']
  const { kind, secret } = step
  if (secret !== undefined && !isJson(secret, longestSecret))
    reject('secret', 'JSON of at most 64 KB')
  if (kind === 'form') checkForm(step, 'step', reject)
  else if (kind === 'redirect') {
    if (!isWebsite(step['url'], allowsHttp)) reject('url', 'an https address without credentials')
    if (step['state'] !== state) reject('state', 'the `redirect.state` of the context')
  } else if (kind === 'wait') {
    if (!isWhole(step['pollMs'], 0, 600_000)) reject('pollMs', 'a whole number from 0 to 600000')
  } else if (kind === 'done') {
    if (secret === undefined) reject('secret', 'what `read` needs')
    const { expiresAt } = step
    if (expiresAt !== undefined && !isTime(expiresAt)) {
      reject('expiresAt', 'a timestamp such as 2027-01-31T00:00:00Z')
    }
  } else reject('kind', 'form, redirect, wait or done')
  return issues
}

const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

/** Whether a text is a time that exists: later pages show it. */
function isTime(value: unknown): boolean {
  if (typeof value !== 'string' || !timePattern.test(value)) return false
  const time = new Date(value)
  return !Number.isNaN(time.valueOf()) && time.toISOString() === value.replace('Z', '.000Z')
}

function isWebsite(value: unknown, allowsHttp: boolean): boolean {
  if (typeof value !== 'string' || value.length > 8192 || !URL.canParse(value)) return false
  const { protocol, username, password } = new URL(value)
  const isWeb = protocol === 'https:' || (allowsHttp && protocol === 'http:')
  return isWeb && username === '' && password === ''
}
