import type { HandlerOf } from '../kernel/operation.ts'
import { toBankTransferEvent } from './bank-transfer-event.ts'
import { listBankTransferEvents } from './store.ts'

const mostEvents = 25

export const bankTransferEventSync: HandlerOf<'bankTransferEventSync'> = async (ctx, { body }) => {
  const events = await listBankTransferEvents(ctx, body.after_id, body.count ?? mostEvents)
  return { bank_transfer_events: events.map(toBankTransferEvent) }
}
bankTransferEventSync.reads = true
bankTransferEventSync.single = true
