import type { HandlerOf } from '../../kernel/operation.ts'
import { nextBankTransferEvent } from '../../transfers/bank-transfer-event.ts'
import {
  insertBankTransferEvent,
  lockBankTransferEvents,
  requireLatestEvent,
} from '../../transfers/store.ts'

export const sandboxBankTransferSimulate: HandlerOf<'sandboxBankTransferSimulate'> = async (
  ctx,
  { body },
) => {
  // Two concurrent changes of a bank transfer must not follow the same event.
  await lockBankTransferEvents(ctx)
  const latest = await requireLatestEvent(ctx, body.bank_transfer_id)
  await insertBankTransferEvent(
    ctx,
    nextBankTransferEvent(latest, body.event_type, body.failure_reason),
  )
  return {}
}
