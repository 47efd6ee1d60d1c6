import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import { testsOf } from '../../scripts/test/changed-tests.ts'

describe('the tests nearest to an edit', () => {
  test('are, of a rule, those of its folder and those that call it', () => {
    const found = testsOf(['src/server/transfers/business-days.ts'])
    expect(found).toContain('test/server/transfers-calendar.test.ts')
    expect(found).toContain('test/server/transfers-create.test.ts')
    expect(found).not.toContain('test/server/wallets.test.ts')
  })

  test('are, of a file of the contract, those that read the contract', () => {
    const found = testsOf(['openapi/paths/wallets/walletGet.yaml'])
    expect(found).toContain('test/contract/layout.test.ts')
    expect(found).toContain('test/server/wallets.test.ts')
  })

  test('are few, even of what nearly everything imports', () => {
    const found = testsOf(['src/server/kernel/errors.ts'])
    expect(found).toContain('test/server/every-operation.test.ts')
    expect(found.length).toBeLessThan(40)
  })

  test('are a test itself, but for one that only `npm run test:all` runs', () => {
    expect(testsOf(['test/client/hooks.test.ts'])).toEqual(['test/client/hooks.test.ts'])
    expect(testsOf(['test/docs/base.test.ts'])).toEqual([])
  })

  test('are there', () => {
    const found = testsOf(['README.md', 'openapi/openapi.yaml', 'scripts/docs/guides.ts'])
    expect(found.length).toBeGreaterThan(10)
    expect(found.filter((file) => !existsSync(join(root, file)))).toEqual([])
  })
})
