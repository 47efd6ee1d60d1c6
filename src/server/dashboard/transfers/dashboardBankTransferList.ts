import type { DashboardBankTransfer } from '../../../../generated/dashboard/closed.ts'
import { readListCursor, toListCursor } from '../../kernel/list-cursor.ts'
import { nextBankTransferEvents, toBankTransferEvent } from '../../transfers/bank-transfer-event.ts'
import type { BankTransferEventRow } from '../../transfers/rows.ts'
import { listLatestEvents } from '../../transfers/store.ts'
import type { PageHandler } from '../page-handler.ts'
import { readPage } from '../pages.ts'

export const dashboardBankTransferList: PageHandler<'dashboardBankTransferList'> = async (
  ctx,
  { body },
) => {
  const isSandbox = ctx.settings.environment === 'sandbox'
  const { rows, next_cursor } = await readPage(
    body,
    (cursor, limit) => listLatestEvents(ctx, beforeOf(cursor), limit),
    ({ event_id }) => toListCursor('bank transfers', event_id),
  )
  return { bank_transfers: rows.map((row) => toBankTransfer(row, isSandbox)), next_cursor }
}
dashboardBankTransferList.reads = true

const beforeOf = (cursor: string | undefined): number =>
  cursor === undefined ? Number.MAX_SAFE_INTEGER : readListCursor('bank transfers', cursor)

function toBankTransfer(row: BankTransferEventRow, isSandbox: boolean): DashboardBankTransfer {
  const event = toBankTransferEvent(row)
  return {
    bank_transfer_id: event.bank_transfer_id,
    status: event.event_type,
    type: event.bank_transfer_type,
    direction: event.direction,
    amount: event.bank_transfer_amount,
    currency: event.bank_transfer_iso_currency_code,
    account_id: event.account_id,
    failure: event.failure_reason?.description ?? null,
    at: event.timestamp,
    next_events: isSandbox ? [...nextBankTransferEvents(row.event_type)] : [],
  }
}
