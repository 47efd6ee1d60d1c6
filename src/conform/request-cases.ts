import { codeOf } from '../contract/code-of.ts'
import type { Finding } from '../contract/judge-answer.ts'
import { type Case, expectError, type Suite, sendTo } from './case.ts'
import { type Mutation, mutator } from './mutations.ts'
import { hasCredentials, type Subject, withoutCredentials } from './subjects.ts'

/** A request with one mistake, and the code that it has to be rejected with. */
interface Spoilt {
  kind: Mutation['kind']
  value: object
  code: string
}

/** How many requests are under way at once. */
const together = 8

/** Each field of a request in each way in which it can be wrong. */
export async function requestCases(suite: Suite, subject: Subject): Promise<Case[]> {
  const { operationId, contract, schema, oauth, requests } = subject
  const [example] = requests
  if (!example) return []
  const { issues, is } = await subject.validator()
  const value = JSON.parse(suite.localize(JSON.stringify(example.value)))
  const byField = new Map<string, Map<string, Spoilt>>()
  const { mutate, fill } = mutator(contract)
  const whole = withoutCredentials(fill(schema, value, is) as Record<string, unknown>)
  for (const { kind, path, value: body } of mutate(schema, value, whole)) {
    if (!isJudgedByFields(body)) continue
    const found = issues(body)
    const code = codeOf(found, oauth)
    if (code === undefined) continue
    const field = found[0]?.path || path.join('.')
    const place = field.replaceAll(/\[\d+\]/g, '[]')
    const ofField = byField.get(place) ?? new Map<string, Spoilt>()
    // One of each kind: another value of it would be rejected for the same reason.
    const key = `${kind} ${code} ${found[0]?.message}`
    if (!ofField.has(key)) ofField.set(key, { kind, value: body, code })
    byField.set(place, ofField)
  }
  return [...byField].map(([field, spoilt]) => ({
    ...{ operationId, group: 'request rules', name: field || 'the body' },
    run: () => judgeAll(suite, subject, field, [...spoilt.values()]),
  }))
}

/** What is no object is rejected before its fields. */
const isJudgedByFields = (body: unknown): body is object =>
  typeof body === 'object' && body !== null && !Array.isArray(body) && !hasCredentials(body)

async function judgeAll(
  suite: Suite,
  subject: Subject,
  field: string,
  all: Spoilt[],
): Promise<Finding[]> {
  const findings: Finding[] = []
  for (let at = 0; at < all.length; at += together) {
    const some = all.slice(at, at + together).map(async ({ kind, value, code }) => {
      const found = expectError(subject, await sendTo(suite, subject, value), [400, code])
      return found.map((one) => ({
        field: field || one.field,
        message: `a request with a wrong ${kindNames[kind]}: ${one.field} ${one.message}`,
      }))
    })
    findings.push(...(await Promise.all(some)).flat())
  }
  return findings
}

const kindNames: Readonly<Record<Mutation['kind'], string>> = {
  drop: 'set of fields (one is missing)',
  add: 'set of fields (one is added)',
  'unknown field': 'set of fields (one is unknown)',
  type: 'type',
  null: 'null',
  enum: 'value',
  other: 'value',
  text: 'text',
  length: 'length',
  number: 'number',
  count: 'count of elements',
}
