import fc from 'fast-check'
import { resolve } from '../../scripts/contract/contract.ts'
import { mutator as derive, type Mutator } from '../../src/conform/mutations.ts'
import type { Contract, Schema } from '../../src/contract/document.ts'
import { instancesOf } from './generate-instances.ts'

export type { Kind, Mutation, Mutator } from '../../src/conform/mutations.ts'

const seed = 20260316

/** Mutations of the product, and random values beside them. */
export function mutator(contract: Contract): Mutator {
  const arbitrary = instancesOf(contract, true)
  const drawn = new Map<Schema, unknown[]>()
  return derive(contract, (schema) => {
    const target = resolve(contract, schema)
    const values = drawn.get(target) ?? fc.sample(arbitrary(target), { seed, numRuns: 4 })
    drawn.set(target, values)
    return values
  })
}
