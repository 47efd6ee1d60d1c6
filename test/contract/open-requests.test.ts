import { describe, expect, test } from 'vitest'
import {
  eachOperation,
  readBundle,
  requestSchema,
  resolve,
  sandbox,
} from '../../scripts/contract/contract.ts'
import type { Validator } from '../../src/validators/validate.ts'
import { withField } from '../support/generate-instances.ts'
import { component, load, stock, subjectsOf, validatorOf } from '../support/json-schema.ts'
import { mutator } from '../support/mutations.ts'
import { places, replace, settle } from '../support/places.ts'

// Sandbox endpoints that SDKs call ignore unknown fields, and treat null as absent.

const contract = readBundle(sandbox)
const { fill } = mutator(contract)
const written = stock(contract)

const open = [
  'itemPublicTokenExchange',
  'sandboxBankTransferSimulate',
  'sandboxItemFireWebhook',
  'sandboxItemResetLogin',
  'sandboxItemSetVerificationStatus',
  'sandboxPublicTokenCreate',
  'sandboxTransactionsCreate',
  'sandboxTransferRefundSimulate',
  'sandboxTransferSimulate',
  'sandboxTransferSweepSimulate',
]

type Fields = Record<string, unknown>

/** Every object in a value that the contract lists the fields of. */
const objectsIn = (name: string, value: unknown) =>
  places(contract, component(name), value).flatMap(({ path, schema, value: at }) => {
    const { properties, required = [] } = settle(contract, schema, at)
    if (!properties || typeof at !== 'object' || at === null) return []
    const optional = Object.keys(properties).filter((field) => !required.includes(field))
    return [{ path, at: at as Fields, optional }]
  })

/** Copies of a value, each with an unknown field in one of its objects. */
const withUnknown = (name: string, value: unknown) =>
  objectsIn(name, value).map(({ path, at }) => {
    return { path, value: replace(value, path, withField(at, { key: 'x_unknown', value: 'new' })) }
  })

/** Copies of a value, each with null in one field that may be absent, and each without that field. */
const emptied = (name: string, value: unknown) =>
  objectsIn(name, value).flatMap(({ path, at, optional }) =>
    optional.map((field) => {
      const { [field]: _, ...others } = at
      const place = [...path, field]
      const empty = replace(value, path, { ...others, [field]: null })
      return { path: place, empty, absent: replace(value, path, others) }
    }),
  )

function expectOpen(name: string, value: unknown, validator: Validator<unknown>): string[] {
  for (const copy of withUnknown(name, value)) {
    expect([copy.path, validator.issues(copy.value)]).toEqual([copy.path, []])
  }
  const copies = emptied(name, value)
  expect(copies.length).toBeGreaterThan(0)
  for (const { path, empty, absent } of copies) {
    expect([path, validator.issues(empty)]).toEqual([path, validator.issues(absent)])
  }
  return copies.map(({ path }) => path.join('.'))
}

test('these are the open ones', () => {
  const found = eachOperation(contract).filter(({ operation }) => {
    return resolve(contract, requestSchema(operation))['x-open']
  })
  expect(found.map(({ operation }) => operation.operationId).sort()).toEqual(open)
})

const requests = subjectsOf(sandbox).filter(({ form }) => form === 'request')

describe.each(requests.filter(({ file }) => open.includes(file)))('$file', (subject) => {
  test('takes unknown fields, and null where a field may be absent', async () => {
    const validator = await validatorOf(subject)
    const full = fill(component(subject.schema), subject.examples[0], written(subject.schema))
    for (const value of [...subject.examples, full]) expectOpen(subject.schema, value, validator)
  })
})

describe.each(requests.filter(({ file }) => !open.includes(file)))('$file', (subject) => {
  test('rejects unknown fields', async () => {
    const validator = await validatorOf(subject)
    for (const { path, value } of withUnknown(subject.schema, subject.examples[0])) {
      const codes = validator.issues(value).map(({ code }) => code)
      expect([path, codes]).toEqual([path, ['UNKNOWN_FIELDS']])
    }
  })
})

test('the seed data of a custom Item is open at every level', async () => {
  const { SandboxCustomUserInput } = await load(sandbox, 'components')
  const name = 'SandboxCustomUserInput'
  const [example] = contract.components.schemas[name]!.examples!
  const full = fill(component(name), example, written(name))
  expect(expectOpen(name, full, SandboxCustomUserInput!)).toContain(
    'override_accounts.0.identity.addresses.0.primary',
  )
})
