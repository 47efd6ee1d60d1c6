import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Contract,
  componentName,
  documents,
  eachExample,
  eachOperation,
  readBundle,
  requestSchema,
  resolve,
  type Schema,
} from '../../scripts/contract/contract.ts'
import { isUndated } from '../../scripts/contract/undated.ts'
import { withField } from '../../src/conform/mutations.ts'
import { type Path, places, replace, settle } from '../../src/conform/places.ts'
import { isRule } from '../../src/contract/published.ts'
import { instancesOf } from '../support/generate-instances.ts'
import { component, stock } from '../support/json-schema.ts'
import { mutator } from '../support/mutations.ts'
import { type Body, startService, type Tenant, type TestService } from '../support/service.ts'

// Where unknown fields are taken: only here. SECURITY.md and the introduction name these places.

const oauth = ['oauthRevoke', 'oauthToken']
const free = [
  'protectEventSend.event',
  'protectEventSend.event.app_visit',
  'protectEventSend.event.user_sign_in',
  'protectEventSend.event.user_sign_up',
]
const platform = [
  'institutionsGetById',
  'institutionsGetById.options',
  'itemAccessTokenInvalidate',
  'itemGet',
  'itemPublicTokenExchange',
  'itemWebhookUpdate',
  'linkTokenCreate',
  'linkTokenCreate.account_filters',
  'linkTokenCreate.hosted_link',
  'linkTokenCreate.identity_verification',
  'linkTokenCreate.transactions',
  'linkTokenCreate.user',
  'linkTokenCreate.user.address',
  'linkTokenCreate.user.id_number',
  'linkTokenCreate.user.name',
  'linkTokenCreate.account_filters.credit',
  'linkTokenCreate.account_filters.depository',
  'linkTokenCreate.account_filters.investment',
  'linkTokenCreate.account_filters.loan',
  'linkTokenCreate.account_filters.other',
  'linkTokenCreate.account_filters.payroll',
  'linkTokenGet',
  'requestsTail',
  'webhookListen',
  'webhookResend',
]
const known = [
  'sandboxBankTransferSimulate',
  'sandboxBankTransferSimulate.failure_reason',
  'sandboxItemFireWebhook',
  'sandboxItemResetLogin',
  'sandboxItemSetVerificationStatus',
  'sandboxItemSetVerificationStatus.verification_insights',
  'sandboxItemSetVerificationStatus.verification_insights.network_status',
  'sandboxItemSetVerificationStatus.verification_insights.previous_returns',
  'sandboxPublicTokenCreate',
  'sandboxPublicTokenCreate.options',
  'sandboxPublicTokenCreate.options.transactions',
  'sandboxTransactionsCreate',
  'sandboxTransactionsCreate.transactions[]',
  'sandboxTransferRefundSimulate',
  'sandboxTransferRefundSimulate.failure_reason',
  'sandboxTransferSimulate',
  'sandboxTransferSimulate.failure_reason',
  'sandboxTransferSweepSimulate',
]
const metadata = ['sandboxTransferCreate.metadata']

const ofUndated: Record<string, string[]> = { platform, sandbox: [...known, ...metadata] }
const openIn = (document: string): string[] => (ofUndated[document] ?? [...oauth, ...free]).sort()

let service: TestService
let tenant: Tenant
beforeAll(async () => {
  service = await startService()
  tenant = await service.tenant()
})
afterAll(() => service.close())

/** Text that no body may hold fails before any field is looked at. */
const isPlainText = (value: unknown): boolean => !/[\p{Cc}\p{Cs}]|\\u/u.test(JSON.stringify(value))

const credentials = ['client_id', 'secret', 'client_secret', 'public_key']
const withoutCredentials = (body: unknown): unknown =>
  Object.fromEntries(Object.entries(body as Body).filter(([name]) => !credentials.includes(name)))

const codeIn = (body: Body) => body['error_code'] ?? body['error']
const nameOf = (operationId: string, path: Path): string =>
  [operationId, ...path]
    .map((key) => (typeof key === 'number' ? '[]' : `.${key}`))
    .join('')
    .slice(1)

interface Copy {
  name: string
  /** A request that the contract allows, and the same with an unknown field in one of its objects. */
  plain: unknown
  body: unknown
  schema: Schema
}

/** The names of all objects that a schema can have. */
function objectsOf(contract: Contract, name: string, schema: Schema): string[] {
  const {
    type,
    properties = {},
    items,
    oneOf = [],
    anyOf = [],
    allOf = [],
  } = resolve(contract, schema)
  const isObject = [type].flat().includes('object')
  return [
    ...(isObject ? [name] : []),
    ...Object.entries(properties).flatMap(([key, part]) =>
      objectsOf(contract, `${name}.${key}`, part),
    ),
    ...(items ? objectsOf(contract, `${name}[]`, items) : []),
    ...[...oneOf, ...anyOf, ...allOf].flatMap((part) =>
      isRule(part) ? [] : objectsOf(contract, name, part),
    ),
  ]
}

describe.each(documents)('%s', (version) => {
  const contract = readBundle(version)
  const { fill } = mutator(contract)
  const arbitrary = instancesOf(contract, true)
  const written = stock(contract)

  /** Copies of a request, one for each of its objects. */
  const copiesOf = (file: string, schema: string, plain: unknown): Copy[] =>
    places(contract, component(schema), plain).flatMap(({ path, schema: meant, value }) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
      const body = replace(
        plain,
        path,
        withField(value as Body, { key: 'x_unknown', value: 'new' }),
      )
      const settled = settle(contract, resolve(contract, meant), value)
      return [{ name: nameOf(file, path), plain, body, schema: settled }]
    })

  const examples = eachExample(contract)
  const copies = eachOperation(contract).flatMap(({ path, operation }) => {
    const schema = String(componentName(requestSchema(operation)))
    const own = examples.filter((example) => componentName(example.schema) === schema)
    const given = own.map(({ value }) => value)
    const full = fill(component(schema), given[0], written(schema))
    // Of what excludes each other, each is in some of these.
    const isValid = written(schema)
    const drawn = fc.sample(arbitrary(component(schema)), { seed: 1, numRuns: 12 })
    return [...given, full, ...drawn.filter((one) => isValid(one) && isPlainText(one))]
      .map(withoutCredentials)
      .flatMap((plain) => {
        const file = operation.operationId
        return copiesOf(file, schema, plain).map((copy) => ({ ...copy, path }))
      })
  })
  const headers = isUndated(version) ? {} : { 'Service-Version': version }

  test('every object of every request is tried', () => {
    const tried = new Set(copies.map(({ name }) => name))
    const all = eachOperation(contract).flatMap(({ operation }) =>
      objectsOf(contract, operation.operationId, requestSchema(operation)),
    )
    expect([...tried].sort()).toEqual([...new Set(all)].sort())
  })

  test('the service rejects an unknown field in every object but these', async () => {
    const taken = new Set<string>()
    const rejected = new Set<string>()
    for (const { name, path, plain, body } of copies) {
      const code = codeIn((await tenant.post(path, body, headers)).body)
      if (code === 'UNKNOWN_FIELDS') rejected.add(name)
      // What is taken makes no difference.
      else if (code === codeIn((await tenant.post(path, plain, headers)).body)) taken.add(name)
    }
    expect([...taken].sort()).toEqual(openIn(version))
    const all = new Set(copies.map(({ name }) => name))
    expect([...all].filter((name) => !rejected.has(name)).sort()).toEqual(openIn(version))
  })

  test('the contract says so in words, where the keys are not chosen freely', () => {
    const silent = eachOperation(contract).filter(({ operation: { operationId, description } }) => {
      const isOpen = openIn(version).some((name) => name.split('.')[0] === operationId)
      const schemas = Object.entries(contract.components.schemas)
      const own = schemas.filter(
        ([name]) => name.toLowerCase() === `${operationId}request`.toLowerCase(),
      )
      const event = operationId === 'protectEventSend' ? component('ProtectEventInput') : {}
      const text = JSON.stringify([description, own, resolve(contract, event)])
      const words =
        /unknown fields are ignored|not listed here are ignored|further keys are accepted/i
      return isOpen !== words.test(text) && !metadata.includes(`${operationId}.metadata`)
    })
    expect(silent.map(({ operation }) => operation.operationId)).toEqual([])
  })

  test('the contract lists the header that names ignored fields for the same operations', () => {
    const listing = eachOperation(contract).filter(
      ({ operation }) => operation.responses['200']?.headers?.['Ignored-Fields'],
    )
    const open = Object.entries(contract.components.schemas).filter(([, one]) => one['x-open'])
    const ids = eachOperation(contract).filter(({ operation }) =>
      open.some(([name]) => name === componentName(requestSchema(operation))),
    )
    expect(listing.map(({ path }) => path)).toEqual(ids.map(({ path }) => path))
  })

  test('the contract says so of the same objects', () => {
    const open = copies.filter(({ schema }) => schema.additionalProperties !== false)
    expect([...new Set(open.map(({ name }) => name))].sort()).toEqual(openIn(version))
  })
})
