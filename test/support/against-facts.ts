import {
  type Contract,
  componentName,
  eachExample,
  eachOperation,
  eachWebhook,
  type OperationEntry,
  type OperationObject,
  requestSchema,
  resolve,
  type Schema,
} from '../../scripts/contract/contract.ts'
import type { FormCompiler } from '../../src/contract/form-compiler.ts'
import type { Issue } from '../../src/validators/issues.ts'
import { casesOf, derivedCases } from './bodies.ts'
import { compareFields } from './compare-fields.ts'
import { misjudged } from './error-codes.ts'
import {
  catalogue,
  errorsOf,
  expandAnswer,
  type Facts,
  type FieldLines,
  facts,
  factsOf,
  type ObjectFacts,
  type WebhookFacts,
} from './facts.ts'
import { fieldsOf } from './field-view.ts'
import { misjudgedExactly, misjudgedSamples } from './judge.ts'
import { type Body, bodiesOf } from './operation-bodies.ts'

const formMedia = 'application/x-www-form-urlencoded'

/** A contract, what the facts say of its version, and the compilers of its schemas. */
export interface Stated {
  contract: Contract
  facts: Facts
  found: Map<string, OperationEntry>
  exact: () => FormCompiler
  asRequest: () => FormCompiler
}

type Compilers = Pick<Stated, 'exact' | 'asRequest'>

export function stated(contract: Contract, version: string, compilers: Compilers): Stated {
  const entries = eachOperation(contract).map((entry): [string, OperationEntry] => [
    entry.operation.operationId,
    entry,
  ])
  return { contract, facts: factsOf(version), found: new Map(entries), ...compilers }
}

const operationOf = ({ found }: Stated, id: string): OperationObject => found.get(id)!.operation

const bodies = (of: Stated, id: string): { request: Body; response: Body } =>
  bodiesOf(of.contract, of.facts, of.facts.operations[id]!, operationOf(of, id))

const unequal = (what: string, fact: unknown, contract: unknown): string[] =>
  JSON.stringify(fact) === JSON.stringify(contract)
    ? []
    : [
        `${what}: the facts say ${JSON.stringify(fact)}, the contract ${JSON.stringify(contract)}; see "The facts" in openapi/README.md`,
      ]

// What of a contract departs from the facts, in words; each function looks at one side of it.

/** The path, the media types and the fields of an operation. */
export function wrongForm(of: Stated, id: string): string[] {
  const { path, media, closed } = of.facts.operations[id]!
  const { operation, path: actual } = of.found.get(id)!
  const { request, response } = bodies(of, id)
  const { content } = operation.requestBody
  const form = content[formMedia]?.schema ?? requestSchema(operation)
  const open = [...request.found].flatMap(([name, { view }]) => {
    const extra = name === '$' ? !closed : (request.facts.get(name)?.extra ?? false)
    if (!view.types?.has('object') || view.closed !== extra) return []
    return [
      `request \`${name}\`: the facts say ${extra ? 'open' : 'closed'}, the contract does not`,
    ]
  })
  return [
    ...unequal('path', path, actual),
    ...unequal('media types', media, Object.keys(content)),
    ...unequal('form', requestSchema(operation), form),
    ...compareFields('request', request.facts, request.found),
    ...open,
    ...compareFields('response', response.facts, response.found),
  ]
}

/** The sample values of an operation's fields. */
export function wrongSamples(of: Stated, id: string): string[] {
  const { request, response } = bodies(of, id)
  return [
    ...misjudgedSamples(of.asRequest(), request.facts, request.found),
    ...misjudgedSamples(of.exact(), response.facts, response.found),
  ]
}

/** The requests that must be taken or rejected, as a validator judges them. */
export function wrongRequests(
  of: Stated,
  id: string,
  issuesOf: (body: unknown) => readonly Issue[],
): string[] {
  const { rules, closed } = of.facts.operations[id]!
  const cases = [...casesOf(rules), ...derivedCases(rules, bodies(of, id).request.facts, closed)]
  return misjudged(cases, issuesOf, id.startsWith('oauth'))
}

/** The values that an object in answers must or must not take. */
export function wrongObject(of: Stated, rules: ObjectFacts): string[] {
  return rules.where.flatMap((where) => {
    const [id = '', path = ''] = where.split(' ')
    const schema =
      path === 'error'
        ? errorSchema(of.contract, operationOf(of, id))
        : bodies(of, id).response.found.get(path)?.schema
    if (!schema) return [`${where}: there is no such field`]
    const base = path === '$' ? { ...rules.base, ...rules.at_root } : rules.base
    return misjudgedExactly(of.exact(), schema, casesOf({ ...rules, base })).map(
      (line) => `${where} ${line}`,
    )
  })
}

const errorSchema = (contract: Contract, operation: OperationObject, status = '400'): Schema =>
  resolve(contract, operation.responses[status]!).content!['application/json']!.schema

/** The errors that an operation lists, each as `TYPE.CODE.STATUS`. */
export function listedErrors(contract: Contract, operationId: string): Set<string> {
  const examples = eachExample(contract).filter((example) => example.operationId === operationId)
  return new Set(
    examples.flatMap(({ status, value }) => {
      if (status === undefined || status === '200' || status === 'default') return []
      const body = value as Record<string, string>
      return [`${body['error_type'] ?? 'OAUTH'}.${body['error_code'] ?? body['error']}.${status}`]
    }),
  )
}

/** The errors of an operation, and the form of their bodies. */
export function wrongErrors(of: Stated, id: string): string[] {
  const { contract, facts: own } = of
  const listed = listedErrors(contract, id)
  const codes = errorsOf(own.operations[id]!.errors)
  const allowed = [...codes, ...errorsOf(own.operations[id]!.errors_may)]
  const statuses = [...own.statuses, ...allowed.map((name) => name.split('.').pop()!)]
  const { responses } = operationOf(of, id)
  const refusals = Object.keys(responses).filter((status) => status !== '200')
  const form = refusals.flatMap((status) => {
    const oauth = id.startsWith('oauth') && ['400', '401'].includes(status)
    const schema = errorSchema(contract, operationOf(of, id), status)
    const lines = expandAnswer(own, own.error_bodies[oauth ? 'oauth' : 'data'])
    const differences = compareFields('response', lines, fieldsOf(contract, schema))
    return differences.map((line) => `${status} ${line}`)
  })
  const tell = (what: string, names: Iterable<string>) =>
    [...names].map((name) => `${what} ${name}`)
  return [
    ...tell(
      'lacks the status',
      own.statuses.filter((status) => !(status in responses)),
    ),
    ...tell(
      'has a status',
      Object.keys(responses).filter((name) => !statuses.includes(name)),
    ),
    ...tell(
      'lacks',
      codes.filter((name) => !listed.has(name)),
    ),
    ...tell(
      'lists',
      [...listed].filter((name) => !allowed.includes(name)),
    ),
    ...tell(
      'is told of an unknown',
      allowed.filter((name) => !catalogue.includes(name)),
    ),
    ...form,
  ]
}

type RateLimits = Record<string, { shared_with?: string; [scope: string]: unknown }>

/** The limits of an operation, with the operations that share one by their names. */
function limitsOf(contract: Contract, operation: OperationObject): Record<string, object> {
  const all = (of: OperationObject) => Object.entries((of['x-rate-limits'] ?? {}) as RateLimits)
  return Object.fromEntries(
    all(operation).map(([environment, { shared_with: group, ...limit }]) => {
      if (group === undefined) return [environment, limit]
      const sharing = eachOperation(contract).filter(({ operation: other }) =>
        all(other).some(([name, { shared_with }]) => name === environment && shared_with === group),
      )
      const shared = sharing.map(({ operation: { operationId } }) => operationId).sort()
      return [environment, { ...limit, shared }]
    }),
  )
}

/** The limits, pages and retry safety of an operation, for a comparison of whole objects. */
export function promisesOf(of: Stated, id: string): { stated: object; found: object } {
  const { limits, pages, retry_safe } = of.facts.operations[id]!
  const operation = operationOf(of, id)
  const { request, response } = bodies(of, id)
  const inAnswer = [pages?.total, pages?.has_more, ...(pages?.items ?? [])]
  const next = pages?.response
  const places = [next, ...(pages?.items ?? []).map((name) => `${name}[].${next}`)]
  return {
    stated: { limits, pages, retrySafe: retry_safe, request: [], response: [], next: true },
    found: {
      limits: limitsOf(of.contract, operation),
      pages: operation['x-pagination'],
      retrySafe: operation['x-retry-safe'],
      request: [pages?.request, pages?.limit].filter((name) => name && !request.facts.has(name)),
      response: inAnswer.filter((name) => name && !response.facts.has(name)),
      next: next === undefined || places.some((name) => response.facts.has(name!)),
    },
  }
}

function payloadOf(name: string, { payload }: WebhookFacts): FieldLines {
  const [type, code] = name.split('.')
  return {
    webhook_type: { type: 'string', required: true, values: [type] },
    webhook_code: { type: 'string', required: true, values: [code] },
    ...payload,
    environment: { type: 'string', required: true, values: ['sandbox', 'production'] },
  }
}

/** The payload of a webhook. */
export function wrongPayload(
  { contract, exact }: Pick<Stated, 'contract' | 'exact'>,
  name: string,
  issuesOf: (schema: string, body: unknown) => readonly Issue[],
): string[] {
  const own = facts.webhooks[name]!
  const { schema } = eachWebhook(contract).find((webhook) => webhook.name === name)!
  const lines = expandAnswer(facts, payloadOf(name, own))
  return [
    ...compareFields('response', lines, fieldsOf(contract, schema)),
    ...misjudgedExactly(exact(), schema, casesOf(own)),
    ...issuesOf(componentName(schema)!, own.base).map(
      (issue) => `the validator refuses the payload at ${issue.path}`,
    ),
  ]
}

/** The names of the headers of credentials, version and signature that a contract does not have. */
export function missingHeaders(contract: Contract): string[] {
  const text = JSON.stringify(contract)
  return Object.values(facts.authentication).filter((name) => !text.includes(`"${name}"`))
}
