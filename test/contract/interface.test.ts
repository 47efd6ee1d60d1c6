import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { errorCatalogue } from '../../generated/errors.ts'
import {
  type Contract,
  componentName,
  currentVersion,
  eachExample,
  eachOperation,
  eachWebhook,
  generatedFolder,
  type OperationObject,
  readBundle,
  readSandboxCatalogue,
  requestSchema,
  resolve,
  type Schema,
  versions,
} from '../../scripts/contract.ts'
import { FormCompiler } from '../../scripts/form-compiler.ts'
import type { Validator } from '../../src/validators/validate.ts'
import { casesOf, derivedCases } from '../support/bodies.ts'
import { compareFields } from '../support/compare-fields.ts'
import {
  catalogue,
  errorsOf,
  expandAnswer,
  type FieldLines,
  facts,
  factsOf,
  factsText,
  type WebhookFacts,
} from '../support/facts.ts'
import { fieldsOf } from '../support/field-view.ts'
import { misjudgedExactly, misjudgedSamples } from '../support/judge.ts'
import { bodiesOf } from '../support/operation-bodies.ts'
import { misjudged } from '../support/refusals.ts'

// The hash makes an edit of the facts a decision: they change when the requirement changes, and never
// to please the contract.
const frozen = '730eb1c139e18c9756064a61bcb38f7c684e9752642c8dd479b87d0d664a2980'

const formMedia = 'application/x-www-form-urlencoded'

type RateLimits = Record<string, { shared_with?: string; [scope: string]: unknown }>

type Validators = Record<string, Validator<unknown>>

/** The generated validators of a version; where it has none of its own they are the current ones. */
function importValidators(version: string, name: string): Promise<Validators> {
  const own = join(generatedFolder(version), 'validators', `${name}.js`)
  const file = existsSync(own)
    ? own
    : join(generatedFolder(currentVersion), 'validators', `${name}.js`)
  return import(file)
}

function operationsById(
  contract: Contract,
): Map<string, { path: string; operation: OperationObject }> {
  return new Map(eachOperation(contract).map((entry) => [entry.operation.operationId, entry]))
}

/** The errors that an operation lists, each as `TYPE.CODE.STATUS`. */
function listedErrors(contract: Contract, operationId: string): Set<string> {
  const examples = eachExample(contract).filter((example) => example.operationId === operationId)
  return new Set(
    examples.flatMap(({ status, value }) => {
      if (status === undefined || status === '200' || status === 'default') return []
      const body = value as Record<string, string>
      return [`${body['error_type'] ?? 'OAUTH'}.${body['error_code'] ?? body['error']}.${status}`]
    }),
  )
}

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

function payloadOf(name: string, { payload }: WebhookFacts): FieldLines {
  const [type, code] = name.split('.')
  return {
    webhook_type: { type: 'string', required: true, values: [type] },
    webhook_code: { type: 'string', required: true, values: [code] },
    ...payload,
    environment: { type: 'string', required: true, values: ['sandbox', 'production'] },
  }
}

const errorSchema = (contract: Contract, operation: OperationObject, status = '400'): Schema =>
  resolve(contract, operation.responses[status]!).content!['application/json']!.schema

test('the facts are the ones that were agreed on', () => {
  const hash = createHash('sha256').update(factsText).digest('hex')
  expect(hash, 'interface-facts.yaml was edited: is it the requirement that changed?').toBe(frozen)
})

test('there are the operations of the interface, and no others', () => {
  for (const version of versions) {
    const ids = [...operationsById(readBundle(version)).keys()]
    expect(ids.sort()).toEqual(Object.keys(facts.operations).sort())
  }
})

test('there are the webhooks of the interface, and no others', () => {
  const names = eachWebhook(readBundle()).map(({ name }) => name)
  expect(names.sort()).toEqual(Object.keys(facts.webhooks).sort())
})

test('the versions of the interface are there', () => {
  expect(versions).toEqual([...Object.keys(facts.versions), currentVersion].sort())
})

test('the error catalogue is that of the interface', () => {
  const rest = readSandboxCatalogue()
  const rows = Object.entries(errorCatalogue).filter(([key]) => !(key in rest))
  const found = new Set(rows.map(([, { type, code, status }]) => `${type}.${code}.${status}`))
  const missing = catalogue.filter((name) => !found.has(name))
  const may = facts.catalogue_may
  const surplus = [...found].filter((name) => {
    return !catalogue.includes(name) && !may.some((allowed) => name.startsWith(`${allowed}.`))
  })
  expect({ missing, surplus }).toEqual({ missing: [], surplus: [] })
})

test('the headers of credentials, version and signature have their names', () => {
  const text = JSON.stringify(readBundle())
  const names = Object.values(facts.authentication)
  expect(names.filter((name) => !text.includes(`"${name}"`))).toEqual([])
})

describe.each(versions)('version %s', (version) => {
  const contract = readBundle(version)
  const stated = factsOf(version)
  const found = operationsById(contract)
  const exact = new FormCompiler(contract, 'exact')
  const asRequest = new FormCompiler(contract, 'request')
  const isCurrent = version === currentVersion
  const bodies = (id: string) =>
    bodiesOf(contract, stated, stated.operations[id]!, found.get(id)!.operation)

  test.each(Object.keys(stated.operations))('%s has the form that the interface gives it', (id) => {
    const { path, media, closed } = stated.operations[id]!
    const { operation, path: actual } = found.get(id)!
    const { request, response } = bodies(id)
    expect({ path: actual, media: Object.keys(operation.requestBody.content) }).toEqual({
      path,
      media,
    })
    const form = operation.requestBody.content[formMedia]
    if (form) expect(form.schema).toEqual(requestSchema(operation))
    const open = [...request.found].flatMap(([name, { view }]) => {
      const extra = name === '$' ? !closed : (request.facts.get(name)?.extra ?? false)
      if (!view.types?.has('object') || view.closed !== extra) return []
      return [
        `request \`${name}\`: the facts say ${extra ? 'open' : 'closed'}, the contract does not`,
      ]
    })
    expect([
      ...compareFields('request', request.facts, request.found),
      ...open,
      ...compareFields('response', response.facts, response.found),
    ]).toEqual([])
  })

  test.each(Object.keys(stated.operations))('%s judges the sample values of fields', (id) => {
    const { request, response } = bodies(id)
    expect([
      ...misjudgedSamples(asRequest, request.facts, request.found),
      ...misjudgedSamples(exact, response.facts, response.found),
    ]).toEqual([])
  })

  const ruled = Object.keys(stated.operations).filter(
    (id) => isCurrent || facts.versions[version]?.operations?.[id]?.rules,
  )
  test.each(ruled)('%s takes and refuses the requests that the rules name', async (id) => {
    const { rules, closed } = stated.operations[id]!
    const { request } = await importValidators(version, id)
    const cases = [...casesOf(rules), ...derivedCases(rules, bodies(id).request.facts, closed)]
    const oauth = id.startsWith('oauth')
    expect(misjudged(cases, (body) => request!.issues(body), oauth)).toEqual([])
  })

  test.each(Object.entries(stated.objects))('%s: answers fit the rules', (_, rules) => {
    const wrong = rules.where.flatMap((where) => {
      const [id = '', path = ''] = where.split(' ')
      const { operation } = found.get(id)!
      const schema =
        path === 'error'
          ? errorSchema(contract, operation)
          : bodies(id).response.found.get(path)?.schema
      if (!schema) return [`${where}: there is no such field`]
      const base = path === '$' ? { ...rules.base, ...rules.at_root } : rules.base
      return misjudgedExactly(exact, schema, casesOf({ ...rules, base })).map(
        (line) => `${where} ${line}`,
      )
    })
    expect(wrong).toEqual([])
  })

  test.each(Object.keys(stated.operations))('%s lists its errors, in their form', (id) => {
    const listed = listedErrors(contract, id)
    const own = stated.operations[id]!
    const codes = errorsOf(own.errors)
    const allowed = [...codes, ...errorsOf(own.errors_may)]
    const statuses = [...facts.statuses, ...allowed.map((name) => name.split('.').pop()!)]
    const { responses } = found.get(id)!.operation
    const refusals = Object.keys(responses).filter((status) => status !== '200')
    const form = refusals.flatMap((status) => {
      const oauth = id.startsWith('oauth') && ['400', '401'].includes(status)
      const schema = errorSchema(contract, found.get(id)!.operation, status)
      const lines = expandAnswer(stated, stated.error_bodies[oauth ? 'oauth' : 'data'])
      const differences = compareFields('response', lines, fieldsOf(contract, schema))
      return differences.map((line) => `${status} ${line}`)
    })
    expect({
      statuses: facts.statuses.filter((status) => !(status in responses)),
      surplusStatuses: Object.keys(responses).filter((status) => !statuses.includes(status)),
      missing: codes.filter((name) => !listed.has(name)),
      surplus: [...listed].filter((name) => !allowed.includes(name)),
      unknown: allowed.filter((name) => !catalogue.includes(name)),
      form,
    }).toEqual({
      statuses: [],
      surplusStatuses: [],
      missing: [],
      surplus: [],
      unknown: [],
      form: [],
    })
  })

  test.each(Object.keys(stated.operations))('%s has its limits, pages and retry safety', (id) => {
    const { limits, pages, retry_safe } = stated.operations[id]!
    const { operation } = found.get(id)!
    expect({
      limits: limitsOf(contract, operation),
      pages: operation['x-pagination'],
      retrySafe: operation['x-retry-safe'],
    }).toEqual({ limits, pages, retrySafe: retry_safe })
    const { request, response } = bodies(id)
    const inAnswer = [pages?.total, pages?.has_more, ...(pages?.items ?? [])]
    const next = pages?.response
    const places = [next, ...(pages?.items ?? []).map((name) => `${name}[].${next}`)]
    expect({
      request: [pages?.request, pages?.limit].filter((name) => name && !request.facts.has(name)),
      response: inAnswer.filter((name) => name && !response.facts.has(name)),
      next: next === undefined || places.some((name) => response.facts.has(name!)),
    }).toEqual({ request: [], response: [], next: true })
  })
})

describe('webhooks', () => {
  const contract = readBundle()
  const exact = new FormCompiler(contract, 'exact')
  const found = new Map(eachWebhook(contract).map((entry) => [entry.name, entry.schema]))

  test.each(Object.entries(facts.webhooks))(
    '%s has the payload of the interface',
    async (name, own) => {
      const schema = found.get(name)!
      const lines = expandAnswer(facts, payloadOf(name, own))
      const generated = (await importValidators(currentVersion, 'webhooks'))[
        componentName(schema)!
      ]!
      expect([
        ...compareFields('response', lines, fieldsOf(contract, schema)),
        ...misjudgedExactly(exact, schema, casesOf(own)),
        ...generated
          .issues(own.base)
          .map((issue) => `the validator refuses the payload at ${issue.path}`),
      ]).toEqual([])
    },
  )
})
