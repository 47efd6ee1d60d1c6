import type { WorldBankTransfer } from '../../../generated/sandbox/types.ts'
import { nextBankTransferEvent } from '../transfers/bank-transfer-event.ts'
import { businessAccountOf } from '../transfers/business-account.ts'
import type { BankTransferEventRow } from '../transfers/rows.ts'
import { insertBankTransferEvent } from '../transfers/store.ts'
import { told } from './told.ts'
import { complete, contextOf, type WorldContext } from './world-context.ts'
import { needs } from './world-needs.ts'
import { toWorldTime } from './world-time.ts'

interface Step {
  at: string
  transfer: WorldBankTransfer
  path: string
  /** The place among the events of its transfer; the first is the creation. */
  index: number
}

/** Writes the events of all bank transfers in the order in which they happened. */
export async function loadBankTransfers(
  world: WorldContext,
  transfers: readonly WorldBankTransfer[],
): Promise<void> {
  const steps = transfers.flatMap((transfer, index) =>
    stepsOf(world, transfer, `bank_transfers[${index}]`),
  )
  const latest = new Map<string, BankTransferEventRow>()
  for (const step of steps.sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)))) {
    const { bank_transfer_id } = step.transfer
    const row = await told(step.path, () =>
      step.index === 0 ? create(world, step) : move(world, step, latest.get(bank_transfer_id)),
    )
    latest.set(bank_transfer_id, row)
  }
}

function stepsOf({ anchor }: WorldContext, transfer: WorldBankTransfer, path: string): Step[] {
  const { created } = complete(transfer, needs.bankTransfer)
  const times = [created, ...(transfer.events ?? []).map(({ at }) => at)]
  return times.map((time, index) => ({ at: toWorldTime(anchor, time), transfer, path, index }))
}

function create(world: WorldContext, { at, transfer }: Step): Promise<BankTransferEventRow> {
  const { bank_transfer_id, account_id, type, amount } = complete(transfer, needs.bankTransfer)
  const direction = transfer.direction ?? 'outbound'
  const usual = businessAccountOf(world.ctx.client.client_id, 'origination')
  return insertBankTransferEvent(contextOf(world, `bank transfer/${bank_transfer_id}`), {
    timestamp: at,
    event_type: 'pending',
    account_id,
    bank_transfer_id,
    origination_account_id:
      direction === 'outbound' ? (transfer.origination_account_id ?? usual) : null,
    bank_transfer_type: type,
    bank_transfer_amount: amount,
    bank_transfer_iso_currency_code: transfer.iso_currency_code ?? 'USD',
    failure_reason: null,
    direction,
  })
}

function move(
  world: WorldContext,
  { at, transfer, index }: Step,
  latest: BankTransferEventRow | undefined,
): Promise<BankTransferEventRow> {
  const event = transfer.events?.[index - 1]
  if (!event || !latest) throw new Error('an event of a bank transfer stands before its creation')
  const next = nextBankTransferEvent(latest, event.event_type, event.failure_reason)
  return insertBankTransferEvent(world.ctx, { ...next, timestamp: at })
}
