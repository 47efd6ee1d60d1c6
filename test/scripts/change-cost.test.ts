import { describe, expect, test } from 'vitest'
import { operation } from '../../scripts/change-cost/add-operation.ts'
import { beyondAim } from '../../scripts/change-cost/addition.ts'

// That the script fails when an addition takes more than it may.

const handler = { file: 'src/server/wallets/walletBalanceGet.ts', lines: 13 }
const root = { file: 'openapi/openapi.yaml', lines: 1 }

describe('the aim of an addition', () => {
  test('is kept by its own files', () => {
    expect(beyondAim(operation, [handler, root])).toEqual([])
  })

  test('names a file that is no part of it', () => {
    const list = { file: 'src/server/boot/handlers.ts', lines: 2 }
    expect(beyondAim(operation, [handler, root, list])).toEqual([
      'src/server/boot/handlers.ts is not part of the aim',
    ])
  })

  test('counts files, and lines in the root', () => {
    const second = { ...handler, file: 'src/server/sandbox/wallets/walletBalanceGet.ts' }
    expect(beyondAim(operation, [handler, second, { ...root, lines: 2 }])).toEqual([
      'one line in the root: 2 lines in openapi/openapi.yaml, not 1',
      'one handler: 2 files, not 1',
    ])
  })
})
