import { describe, expect, test } from 'vitest'
import {
  type Contract,
  eachOperation,
  readBundle,
  requestSchema,
  resolve,
} from '../../scripts/contract/contract.ts'
import { sandbox, undated } from '../../scripts/contract/undated.ts'
import { withField } from '../../src/conform/mutations.ts'
import { places, replace, settle } from '../../src/conform/places.ts'
import type { Issue } from '../../src/validators/issues.ts'
import type { Validator } from '../../src/validators/validate.ts'
import { component, load, stock, subjectsOf, validatorOf } from '../support/json-schema.ts'
import { mutator } from '../support/mutations.ts'

// Operations without versions that SDKs call ignore unknown fields, and treat null as absent.

const open: Record<string, string[]> = {
  platform: [
    'institutionsGetById',
    'itemAccessTokenInvalidate',
    'itemGet',
    'itemPublicTokenExchange',
    'itemWebhookUpdate',
    'linkTokenCreate',
    'linkTokenGet',
    'requestsTail',
    'webhookListen',
    'webhookResend',
  ],
  sandbox: [
    'sandboxBankTransferSimulate',
    'sandboxItemFireWebhook',
    'sandboxItemResetLogin',
    'sandboxItemSetVerificationStatus',
    'sandboxPublicTokenCreate',
    'sandboxTransactionsCreate',
    'sandboxTransferRefundSimulate',
    'sandboxTransferSimulate',
    'sandboxTransferSweepSimulate',
  ],
}

type Fields = Record<string, unknown>

/** Every object in a value that the contract lists the fields of. */
const objectsIn = (contract: Contract, name: string, value: unknown) =>
  places(contract, component(name), value).flatMap(({ path, schema, value: at }) => {
    const { properties, required = [] } = settle(contract, schema, at)
    if (!properties || typeof at !== 'object' || at === null) return []
    const optional = Object.keys(properties).filter((field) => !required.includes(field))
    return [{ path, at: at as Fields, optional }]
  })

/** Copies of a value, each with an unknown field in one of its objects. */
const withUnknown = (contract: Contract, name: string, value: unknown) =>
  objectsIn(contract, name, value).map(({ path, at }) => {
    return { path, value: replace(value, path, withField(at, { key: 'x_unknown', value: 'new' })) }
  })

/** Copies of a value, each with null in one field that may be absent, and each without that field. */
const emptied = (contract: Contract, name: string, value: unknown) =>
  objectsIn(contract, name, value).flatMap(({ path, at, optional }) =>
    optional.map((field) => {
      const { [field]: _, ...others } = at
      const place = [...path, field]
      const empty = replace(value, path, { ...others, [field]: null })
      return { path: place, empty, absent: replace(value, path, others) }
    }),
  )

/** Where a rule requires the field, the words for null differ from those for an absent field. */
const asAbsent = (issue: Issue): Issue =>
  issue.message === 'must not be null' ? { ...issue, message: 'is required' } : issue

function expectOpen(
  contract: Contract,
  name: string,
  value: unknown,
  validator: Validator<unknown>,
): string[] {
  for (const copy of withUnknown(contract, name, value)) {
    expect([copy.path, validator.issues(copy.value)]).toEqual([copy.path, []])
  }
  const copies = emptied(contract, name, value)
  expect(copies.length).toBeGreaterThan(0)
  for (const { path, empty, absent } of copies) {
    const issues = validator.issues(empty).map(asAbsent)
    expect([path, issues]).toEqual([path, validator.issues(absent)])
  }
  return copies.map(({ path }) => path.join('.'))
}

describe.each(undated)('%s', (document) => {
  const contract = readBundle(document)
  const { fill } = mutator(contract)
  const written = stock(contract)

  test('these are the open ones', () => {
    const found = eachOperation(contract).filter(({ operation }) => {
      return resolve(contract, requestSchema(operation))['x-open']
    })
    expect(found.map(({ operation }) => operation.operationId).sort()).toEqual(open[document])
  })

  const requests = subjectsOf(document).filter(({ form }) => form === 'request')
  const isOpen = ({ file }: { file: string }) => open[document]?.includes(file)

  describe.each(requests.filter(isOpen))('$file', (subject) => {
    test('takes unknown fields, and null where a field may be absent', async () => {
      const validator = await validatorOf(subject)
      const { schema, examples } = subject
      const full = fill(component(schema), examples[0], written(schema))
      for (const value of [...examples, full]) expectOpen(contract, schema, value, validator)
    })
  })

  // The platform API has only open ones.
  const closed = requests.filter((subject) => !isOpen(subject))
  if (closed.length > 0) {
    describe.each(closed)('$file', (subject) => {
      test('rejects unknown fields', async () => {
        const validator = await validatorOf(subject)
        const copies = withUnknown(contract, subject.schema, subject.examples[0])
        for (const { path, value } of copies) {
          const codes = validator.issues(value).map(({ code }) => code)
          expect([path, codes]).toEqual([path, ['UNKNOWN_FIELDS']])
        }
      })
    })
  }
})

test('the seed data of a custom Item is open at every level', async () => {
  const contract = readBundle(sandbox)
  const { SandboxCustomUserInput } = await load(sandbox, 'components')
  const name = 'SandboxCustomUserInput'
  const [example] = contract.components.schemas[name]!.examples!
  const full = mutator(contract).fill(component(name), example, stock(contract)(name))
  expect(expectOpen(contract, name, full, SandboxCustomUserInput!)).toContain(
    'override_accounts.0.identity.addresses.0.primary',
  )
})
