import type { TransactionsUpdateStatus } from '#contract/types.ts'
import { checkProduct, checkReading } from '../items/item.ts'
import type { ItemRow } from '../items/store.ts'

/** Throws when an Item cannot give its transactions now. */
export function checkTransactions(
  item: ItemRow,
  operationId: 'transactionsSync' | 'transactionsGet',
): void {
  // The first pull needs the institution, what has been pulled does not.
  const check = item.transactions_status === null ? checkProduct : checkReading
  check(item, 'transactions', operationId)
}

/** A status in which there is something to read. */
type ReadyStatus = Exclude<TransactionsUpdateStatus, 'NOT_READY'>

export const isReady = (status: string | null): status is ReadyStatus =>
  status !== null && status !== 'NOT_READY'
