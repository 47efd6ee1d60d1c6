import { beforeAll, describe, expect, test } from 'vitest'
import { eachOperation, readBundle } from '../../scripts/contract/contract.ts'
import { createEditor } from '../support/editor.ts'

// What an editor shows while someone writes code with the client.

const start = `
import { createClient, paginate } from '../../src/index.ts'
const client = createClient({ baseUrl: 'http://127.0.0.1:4000' })
const body = { access_token: 'token' }
`
let ask: ReturnType<typeof createEditor>
beforeAll(() => {
  ask = createEditor()
})

describe('an editor', () => {
  test('shows of a method what it does, what it takes and gives, and its error codes', () => {
    const { shown } = ask(`${start}client.⟦transactionsSync⟧(body)`)
    const { operation } = eachOperation(readBundle()).find(({ path }) => path.endsWith('s/sync'))!
    expect(shown.type).toContain('transactionsSync(body: TransactionsSyncRequest')
    expect(shown.type).toContain('Call<TransactionsSyncResponse')
    expect(shown.docs).toContain(operation.summary)
    expect(shown.docs).toContain(operation.description)
    expect(shown.docs).toContain('`TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION`')
    expect(shown.docs).toContain('Safe to repeat')
  })

  test('shows of a field its meaning and its unit', () => {
    const { shown } = ask(`${start}
      const { accounts } = await client.accountsGet(body).orThrow()
      accounts[0]?.balances.⟦current⟧`)
    expect(shown.type).toContain('current: number | null')
    expect(shown.docs).toContain('in units of the currency')
  })

  test('names the types of what a call gives, and says what they are', () => {
    const call = 'await client.accountsGet(body).orThrow()'
    const { shown } = ask(`${start}const { ⟦accounts⟧ } = ${call}`)
    expect(shown.type).toBe('const accounts: Account[]')
    const { shown: balances } = ask(`${start}const { accounts } = ${call}
      accounts[0]!.⟦balances⟧`)
    expect(balances.type).toBe('(property) Account.balances: AccountBalances')
    const { schemas } = readBundle().components
    const { shown: type } = ask(`import type { ⟦Account⟧ } from '../../src/index.ts'`)
    expect(type.docs).toContain(schemas['Account']?.description)
  })

  test('offers the values of an enum that are known, and says what each means', () => {
    const { completions } = ask(`${start}
      const { accounts } = await client.accountsGet(body).orThrow()
      if (accounts[0]?.type === '⟦⟧') {}`)
    const { AccountType } = readBundle().components.schemas
    expect(completions).toEqual(AccountType?.enum)
    const words = Object.entries(AccountType?.['x-enumDescriptions'] as Record<string, string>)
    const imported = [
      `import type { ⟦AccountType⟧ } from '../../src/index.ts'`,
      `import { ⟦AccountType⟧ } from '#contract/enums.ts'`,
    ]
    for (const code of imported) {
      for (const [value, text] of words) {
        expect(ask(code).shown.docs).toContain(`- \`${value}\`: ${text}`)
      }
    }
  })

  test('offers the codes of the operation, and those alone', () => {
    const { completions } = ask(`${start}
      const { error } = await client.walletGet({ wallet_id: 'w' })
      if (error?.error_code === '⟦⟧') {}`)
    expect(completions).toContain('INVALID_FIELD')
    expect(completions).not.toContain('ITEM_LOGIN_REQUIRED')
  })

  test('offers the operations that have pages', () => {
    const { completions } = ask(`${start}paginate(client, '⟦⟧', {})`)
    expect(completions).toContain('walletList')
    expect(completions).not.toContain('walletGet')
  })
})
