import { describe, expect, test } from 'vitest'
import {
  type Contract,
  currentVersion,
  eachWebhook,
  readBundle,
  versions,
} from '../../scripts/contract/contract.ts'

// What a version has differently from the next newer one, stated place by place. A place is the path of a value in
// the bundle; examples and texts follow the schemas and are judged by other tests.

/** The places where two bundles differ, without texts and examples. */
function differences(older: Contract, newer: Contract): string[] {
  const found: string[] = []
  const compare = (a: unknown, b: unknown, path: string): void => {
    if (JSON.stringify(a) === JSON.stringify(b)) return
    const bothObjects = [a, b].every((value) => typeof value === 'object' && value !== null)
    if (!bothObjects || Array.isArray(a) || Array.isArray(b)) {
      found.push(path)
      return
    }
    const keys = new Set([...Object.keys(a as object), ...Object.keys(b as object)])
    for (const key of keys) {
      if (isText(key)) continue
      const at = (value: unknown) => (value as Record<string, unknown>)[key]
      compare(at(a), at(b), path === '' ? key : `${path} ${key}`)
    }
  }
  compare(older, newer, '')
  return found.map((path) => path.replace(/^components schemas /, '')).sort()
}

const isText = (key: string): boolean =>
  ['description', 'summary', 'examples', 'title', 'x-enumDescriptions', 'x-api-version'].includes(
    key,
  )

const between2019And2020 = [
  'ErrorBody allOf',
  'FaultyField',
  'InstitutionsSearchOptions properties country_codes',
  'InstitutionsSearchRequest properties public_key',
  'InstitutionsSearchRequest required',
  'ItemRemoveResponse properties removed',
  'ItemRemoveResponse required',
  // INCOMPATIBLE_API_VERSION is the newest version's alone.
  'paths /institutions/search post x-error-codes 400',
]

const between2018And2019 = [
  'AccountKind allOf',
  'AccountType enum',
  'AddressData properties city type',
  'AddressData properties country',
  'AddressData properties postal_code',
  'AddressData properties region',
  'AddressData properties state',
  'AddressData properties zip',
  'AddressData required',
  'AssetReportAccount allOf',
  'Identity',
  'IdentityAccount',
  'IdentityAddress',
  'IdentityGetResponse properties accounts items $ref',
  'IdentityGetResponse properties identity',
  'IdentityGetResponse required',
  'Institution properties country_codes',
  'Institution required',
  'Transaction properties authorized_datetime format',
  'Transaction properties authorized_datetime type',
  'Transaction properties datetime format',
  'Transaction properties datetime type',
  'TransactionLocation properties address type',
  'TransactionLocation properties city type',
  'TransactionLocation properties country',
  'TransactionLocation properties postal_code',
  'TransactionLocation properties region',
  'TransactionLocation properties state',
  'TransactionLocation properties zip',
  'TransactionLocation required',
]

const steps: [older: string, newer: string, listed: string[]][] = [
  ['2018-05-22', '2019-05-29', between2018And2019],
  ['2019-05-29', '2020-09-14', between2019And2020],
]

test.each(steps)(
  '%s differs from %s in what is listed, and in nothing else',
  (older, newer, listed) => {
    expect(differences(readBundle(older), readBundle(newer))).toEqual(listed)
  },
)

describe.each(versions)('%s', (version) => {
  const current = readBundle()

  test('has the same operations and webhooks as the newest', () => {
    expect(Object.keys(readBundle(version).paths)).toEqual(Object.keys(current.paths))
    expect(eachWebhook(readBundle(version)).map(({ name }) => name)).toEqual(
      eachWebhook(current).map(({ name }) => name),
    )
  })
})

test('the newest version is the one that the contract itself describes', () => {
  expect(currentVersion).toBe(versions.at(-1))
})
