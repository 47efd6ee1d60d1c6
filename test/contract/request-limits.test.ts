import { expect, test } from 'vitest'
import { readBundle } from '../../scripts/contract/contract.ts'
import { limits, wrongLimits } from '../support/request-limits.ts'

// Each bound is stated once more, by hand, and tried on both of its sides.

const contract = readBundle()

test.each(Object.keys(limits))('%s takes what is as small or as large as it may be', (name) => {
  expect(wrongLimits(contract, name)).toEqual([])
})
