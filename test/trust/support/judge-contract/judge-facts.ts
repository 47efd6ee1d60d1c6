import { eachOperation, requestSchema } from '../../../../scripts/contract/contract.ts'
import {
  missingHeaders,
  promisesOf,
  type Stated,
  stated,
  wrongErrors,
  wrongForm,
  wrongObject,
  wrongPayload,
  wrongRequests,
  wrongSamples,
} from '../../../support/against-facts.ts'
import { facts, newestStated, statedVersions } from '../../../support/facts.ts'
import { type Broken, inGroups } from './broken.ts'

/** What the facts of the interface, which were written without the contract, say against it. */
export function* byFacts(whole: Broken): Generator<string> {
  if (!statedVersions.includes(whole.version)) return
  const { contract } = whole
  yield* missingHeaders(contract)
  const ids = eachOperation(contract).map(({ operation }) => operation.operationId)
  if (Object.keys(facts.operations).some((id) => !ids.includes(id))) yield 'the operations'
  const webhooks = contract.webhooks ?? {}
  if (Object.keys(facts.webhooks).some((name) => !(name in webhooks))) yield 'the webhooks'
  for (const group of inGroups(whole)) yield* ofGroup(group)
}

function* ofGroup(broken: Broken): Generator<string> {
  const { contract, version, compiler } = broken
  const of = stated(contract, version, {
    exact: () => compiler('exact'),
    asRequest: () => compiler('request'),
  })
  const ids = broken.ids.filter((name) => of.found.has(name) && name in facts.operations)
  for (const id of ids) yield* ofOperation(broken, of, id)
  for (const rules of Object.values(of.facts.objects)) {
    const where = rules.where.filter((place) => broken.ids.includes(place.split(' ')[0]!))
    if (where.length > 0) yield* wrongObject(of, { ...rules, where })
  }
  if (version !== newestStated) return
  for (const name of broken.webhooks.filter((one) => one in facts.webhooks)) {
    yield* wrongPayload({ contract, exact: () => compiler('exact') }, name, (schema, body) =>
      broken.requestOf({ $ref: `#/components/schemas/${schema}` }).issues(body),
    )
  }
}

function* ofOperation(broken: Broken, of: Stated, id: string): Generator<string> {
  yield* wrongErrors(of, id)
  const promises = promisesOf(of, id)
  if (!equal(promises.stated, promises.found)) yield 'a promise'
  yield* wrongForm(of, id)
  yield* wrongSamples(of, id)
  const isRuled =
    broken.version === newestStated || facts.versions[broken.version]?.operations?.[id]
  if (!isRuled) return
  const request = broken.requestOf(requestSchema(of.found.get(id)!.operation))
  yield* wrongRequests(of, id, (body) => request.issues(body))
}

/** Equal but for the order of fields. */
const equal = (one: unknown, two: unknown): boolean =>
  JSON.stringify(sorted(one)) === JSON.stringify(sorted(two))

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([one], [two]) => (one < two ? -1 : 1))
  return Object.fromEntries(entries.map(([key, part]) => [key, sorted(part)]))
}
