import type { TransactionsUpdateStatus } from '#contract/closed.ts'
import { checkProduct, checkReading } from '../items/item.ts'
import type { ItemRow } from '../items/store.ts'

/** Throws if an Item cannot return its transactions now. */
export function checkTransactions(
  item: ItemRow,
  operationId: 'transactionsSync' | 'transactionsGet',
): void {
  // Only the first pull needs the institution. Pulled transactions are stored.
  const check = item.transactions_status === null ? checkProduct : checkReading
  check(item, 'transactions', operationId)
}

/** The statuses in which transactions are available. */
type ReadyStatus = Exclude<TransactionsUpdateStatus, 'NOT_READY'>

export const isReady = (status: string | null): status is ReadyStatus =>
  status !== null && status !== 'NOT_READY'
