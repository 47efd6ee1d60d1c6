import { describe, expect, expectTypeOf, test } from 'vitest'
import * as enums from '#contract/enums.ts'
import { currentVersion, readBundle, type Schema } from '../../scripts/contract/contract.ts'
import type { AccountType, TransferStatus } from '../../src/index.ts'

// What production has: the platform document, and the newest version.
const schemas = Object.assign(
  {},
  ...['platform', currentVersion].map((name) => readBundle(name).components.schemas),
) as Record<string, Schema>

describe('the enums', () => {
  test('are those of the contract, each with its values in their order', () => {
    const named = Object.entries(schemas).filter(([, schema]) => schema.enum)
    const described = Object.fromEntries(named.map(([name, schema]) => [name, schema.enum]))
    expect({ ...enums }).toEqual(described)
    expect(named.length).toBeGreaterThan(50)
  })

  test('have the types of the fields that hold them', () => {
    expectTypeOf<enums.AccountType>().toEqualTypeOf<AccountType>()
    expectTypeOf<enums.TransferStatus>().toEqualTypeOf<TransferStatus>()
    expectTypeOf(enums.WalletCurrency).toEqualTypeOf<readonly ['GBP', 'EUR']>()
  })
})
