import { kindOf } from './account-kind.ts'
import { maskOf } from './account-numbers.ts'
import type { ToldAccount } from './connected-item.ts'
import type { Ask, FoundAccount } from './connector.ts'
import { isCurrency } from './currency.ts'
import { findAccountOf } from './source-account.ts'

/** The accounts of a source, as the link page shows them. */
export async function findAccounts(
  { read, itemId }: Pick<Ask, 'read' | 'itemId'>,
  told: readonly ToldAccount[],
): Promise<FoundAccount[]> {
  const known = await read(async (ctx) => {
    const ids = new Set<string>()
    for (const { id, account } of itemId === null ? [] : told) {
      if (itemId !== null && (await findAccountOf(ctx, itemId, account))) ids.add(id)
    }
    return ids
  })
  return told.map(({ id, account, balances }) => {
    const { name, organization, currency } = account
    return {
      id,
      name: [organization, name].filter(Boolean).join(': ') || null,
      mask: maskOf(account),
      currency,
      kind: kindOf(account) ?? null,
      lacksBalance: !balances.some(({ type }) => type === 'closing'),
      ...(known.has(id) ? { isKnown: true } : {}),
      ...(isCurrency(currency) ? {} : { barrier: 'unsupportedCurrency' as const }),
    }
  })
}
