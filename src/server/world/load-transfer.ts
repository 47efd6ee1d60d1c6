import type { WorldRefund, WorldTransfer } from '../../../generated/sandbox/types.ts'
import type { Context } from '../context.ts'
import { toEasternDate } from '../transfers/eastern-time.ts'
import { toNewTransfer } from '../transfers/new-transfer.ts'
import { nextRefund } from '../transfers/refund.ts'
import type { TransferRow } from '../transfers/rows.ts'
import {
  insertRefund,
  insertTransfer,
  moveRefund,
  moveTransfer,
  updateSweep,
} from '../transfers/store.ts'
import { nextTransfer } from '../transfers/transfer-status.ts'
import { told } from './told.ts'
import { complete, contextOf, type WorldContext } from './world-context.ts'
import { needs } from './world-needs.ts'
import { toWorldTime } from './world-time.ts'

/** Writes a transfer as it was created, and lets happen to it what the file says. */
export async function loadTransfer(world: WorldContext, transfer: WorldTransfer): Promise<void> {
  const ctx = contextOf(world, `transfer/${transfer.transfer_id}`)
  const created = await createTransfer(ctx, world, transfer)
  const row = await moveOn(ctx, world, transfer, created)
  for (const [index, refund] of (transfer.refunds ?? []).entries()) {
    await told(`refunds[${index}]`, () => loadRefund(ctx, world, row, refund))
  }
  if (transfer.sweep_status) await updateSweep(ctx, row.transfer_id, transfer.sweep_status)
}

function createTransfer(
  ctx: Context,
  { anchor }: WorldContext,
  transfer: WorldTransfer,
): Promise<TransferRow> {
  const { transfer_id, authorization_id, created, remove: _, ...rest } = transfer
  const order = complete({ ...rest, created, transfer_id }, needs.transfer)
  const made = toNewTransfer(order, ctx.client.client_id, toWorldTime(anchor, order.created))
  return insertTransfer(ctx, {
    ...made,
    id: transfer_id,
    ...(authorization_id === undefined ? {} : { authorization_id }),
    funding_account_id: transfer.funding_account_id ?? made.funding_account_id,
    ledger_id: transfer.ledger_id ?? made.ledger_id ?? null,
    ...(transfer.facilitator_fee === undefined
      ? {}
      : { facilitator_fee: transfer.facilitator_fee }),
  })
}

async function moveOn(
  ctx: Context,
  { anchor }: WorldContext,
  { events = [] }: WorldTransfer,
  created: TransferRow,
): Promise<TransferRow> {
  let row = created
  for (const [index, { event_type, at, failure_reason }] of events.entries()) {
    const event = {
      status: event_type,
      reason: failure_reason,
      now: toWorldTime(anchor, at),
      uuid: ctx.newId('uuid'),
    }
    const next = await told(`events[${index}]`, async () => nextTransfer(row, event))
    await moveTransfer(ctx, row, next)
    row = next
  }
  return row
}

async function loadRefund(
  ctx: Context,
  { anchor }: WorldContext,
  transfer: TransferRow,
  refund: WorldRefund,
): Promise<void> {
  const { refund_id, created, amount } = complete(refund, needs.refund)
  let row = await insertRefund(ctx, transfer.transfer_id, {
    id: refund_id,
    amount,
    status: 'pending',
    failure_reason: null,
    ledger_id: transfer.ledger_id,
    created: toWorldTime(anchor, created),
    network_trace_id: null,
  })
  for (const { event_type, at, failure_reason } of refund.events ?? []) {
    const next = nextRefund(row, transfer, {
      status: event_type,
      reason: failure_reason,
      today: toEasternDate(toWorldTime(anchor, at)),
      uuid: ctx.newId('uuid'),
    })
    await moveRefund(ctx, row, next)
    row = next
  }
}
