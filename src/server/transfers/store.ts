import type { SweepStatus } from '#contract/closed.ts'
import { insertRow } from '../db/insert-rows.ts'
import type { Context } from '../kernel/context.ts'
import { invalidField } from '../kernel/errors.ts'
import { fromDecimal } from '../kernel/money.ts'
import type { BankTransferEventInput } from './bank-transfer-event.ts'
import type { BankTransferEventRow, RefundRow, TransferRow } from './rows.ts'
import { type RefundInput, type TransferInput, toTransferRow } from './transfer.ts'

const transferColumns = `transfer_id, authorization_id, account_id, funding_account_id, ledger_id, type,
  transfer_user, amount, description, created, status, sweep_status, network, ach_class,
  message_to_beneficiary, wire_return_fee, cancellable_until, failure_code, failure_description,
  metadata, origination_account_id, guarantee_decision, guarantee_code, guarantee_description,
  iso_currency_code, standard_return_window, unauthorized_return_window, expected_settlement_date,
  expected_funds_available_date, originator_client_id, recurring_transfer_id, sweep_schedule,
  facilitator_fee, network_trace_id, refund_count`

const refundColumns = `refund_id, transfer_id, position, amount, status, failure_code,
  failure_description, ledger_id, created, network_trace_id`

const eventColumns = `event_id, timestamp, event_type, account_id, bank_transfer_id,
  origination_account_id, bank_transfer_type, bank_transfer_amount, bank_transfer_iso_currency_code,
  failure_code, failure_description, direction`

interface TransferSearch {
  /** The column of the given id. */
  column?: 'transfer_id' | 'authorization_id'
  originator?: string | null
}

/** A transfer of the client. */
export const findTransfer = (
  ctx: Context,
  id: string,
  column: 'transfer_id' | 'authorization_id' = 'transfer_id',
) =>
  ctx.own.first<TransferRow>(
    `select ${transferColumns} from transfers where client_id = $1 and ${column} = $2`,
    [id],
  )

/** A transfer of the client. If an originator is given, one that was created for it. */
export async function requireTransfer(
  ctx: Context,
  id: string,
  { column = 'transfer_id', originator = null }: TransferSearch = {},
): Promise<TransferRow> {
  const row = await findTransfer(ctx, id, column)
  if (!row || (originator !== null && row.originator_client_id !== originator)) {
    const what = column === 'transfer_id' ? 'one' : 'the authorization of one'
    throw unknown(column, `${what} of your transfers`)
  }
  return row
}

const unknown = (field: string, what: string) =>
  invalidField(`\`${field}\` must be the id of ${what}`)

/** Locks the transfer and its refunds against other writes until the commit. */
export async function lockTransfer(ctx: Context, transferId: string): Promise<void> {
  await ctx.own.run(
    'update transfers set refund_count = refund_count where client_id = $1 and transfer_id = $2',
    [transferId],
  )
}

/**
 * Whether the client has created a transfer for that originator. Only an authorized client can do
 * so.
 */
export const hasTransferFor = async (ctx: Context, originatorId: string): Promise<boolean> =>
  (await ctx.own.first(
    'select 1 as found from transfers where client_id = $1 and originator_client_id = $2 limit 1',
    [originatorId],
  )) !== undefined

/** Writes a transfer in any state, with its refunds. */
export async function insertTransfer(ctx: Context, input: TransferInput): Promise<TransferRow> {
  const row = toTransferRow(input, () => ctx.newId('uuid'))
  await insertRow(ctx, 'transfers', { ...row })
  for (const refund of input.refunds ?? []) await insertRefund(ctx, row.transfer_id, refund)
  return row
}

/** Writes a status change. Returns false if another change of the transfer came first. */
export const moveTransfer = async (
  ctx: Context,
  from: TransferRow,
  to: TransferRow,
): Promise<boolean> =>
  (await ctx.own.run(
    `update transfers set status = $4, sweep_status = $5, failure_code = $6,
        failure_description = $7, standard_return_window = $8, unauthorized_return_window = $9,
        expected_settlement_date = $10, expected_funds_available_date = $11, sweep_schedule = $12,
        network_trace_id = $13
      where client_id = $1 and transfer_id = $2 and status = $3`,
    [
      from.transfer_id,
      from.status,
      to.status,
      to.sweep_status,
      to.failure_code,
      to.failure_description,
      to.standard_return_window,
      to.unauthorized_return_window,
      to.expected_settlement_date,
      to.expected_funds_available_date,
      to.sweep_schedule,
      to.network_trace_id,
    ],
  )) > 0

/**
 * Sets the sweep of a transfer that can have one. Returns false for a transfer that never moves
 * money.
 */
export const updateSweep = async (
  ctx: Context,
  transferId: string,
  sweepStatus: SweepStatus,
): Promise<boolean> =>
  (await ctx.own.run(
    `update transfers set sweep_status = $3
      where client_id = $1 and transfer_id = $2 and status not in ('cancelled', 'failed')`,
    [transferId, sweepStatus],
  )) > 0

export const listRefunds = (ctx: Context, transferId: string) =>
  ctx.own.all<RefundRow>(
    `select ${refundColumns} from refunds
      where client_id = $1 and transfer_id = $2 order by position`,
    [transferId],
  )

export const findRefund = (ctx: Context, refundId: string) =>
  ctx.own.first<RefundRow>(
    `select ${refundColumns} from refunds where client_id = $1 and refund_id = $2`,
    [refundId],
  )

export async function requireRefund(ctx: Context, refundId: string): Promise<RefundRow> {
  const row = await findRefund(ctx, refundId)
  if (!row) throw unknown('refund_id', 'one of your refunds')
  return row
}

/** Writes a refund after the others of its transfer. */
export async function insertRefund(
  ctx: Context,
  transferId: string,
  input: RefundInput,
): Promise<RefundRow> {
  const place = await ctx.own.first<{ refund_count: number }>(
    `update transfers set refund_count = refund_count + 1
      where client_id = $1 and transfer_id = $2 returning refund_count`,
    [transferId],
  )
  const row: RefundRow = {
    refund_id: input.id ?? ctx.newId('uuid'),
    transfer_id: transferId,
    position: place?.refund_count ?? 0,
    amount: fromDecimal(input.amount),
    status: input.status,
    failure_code: input.failure_reason?.failure_code ?? null,
    failure_description: input.failure_reason?.description ?? null,
    ledger_id: input.ledger_id ?? null,
    created: input.created,
    network_trace_id: input.network_trace_id ?? null,
  }
  await insertRow(ctx, 'refunds', { ...row })
  return row
}

/** Writes a status change. Returns false if another change of the refund came first. */
export const moveRefund = async (ctx: Context, from: RefundRow, to: RefundRow): Promise<boolean> =>
  (await ctx.own.run(
    `update refunds set status = $4, failure_code = $5, failure_description = $6,
        network_trace_id = $7
      where client_id = $1 and refund_id = $2 and status = $3`,
    [
      from.refund_id,
      from.status,
      to.status,
      to.failure_code,
      to.failure_description,
      to.network_trace_id,
    ],
  )) > 0

/** The client's next event number. It is counted in this transaction, so there are no gaps. */
async function nextEventId(ctx: Context): Promise<number> {
  const row = await ctx.own.first<{ last_event_id: number }>(
    `insert into bank_transfer_counters (client_id, last_event_id) values ($1, 1)
      on conflict (client_id) do update
        set last_event_id = bank_transfer_counters.last_event_id + 1
      returning last_event_id`,
  )
  if (!row) throw new Error('the counter of bank transfer events gave no number')
  return row.last_event_id
}

/** Locks the client's event stream against other writes until the commit. */
export async function lockBankTransferEvents(ctx: Context): Promise<void> {
  await ctx.own.run(
    'update bank_transfer_counters set last_event_id = last_event_id where client_id = $1',
  )
}

/** Writes an event at the end of the client's stream. */
export async function insertBankTransferEvent(
  ctx: Context,
  input: BankTransferEventInput,
): Promise<BankTransferEventRow> {
  const row: BankTransferEventRow = {
    event_id: await nextEventId(ctx),
    timestamp: input.timestamp ?? ctx.now,
    event_type: input.event_type,
    account_id: input.account_id,
    bank_transfer_id: input.bank_transfer_id,
    origination_account_id: input.origination_account_id,
    bank_transfer_type: input.bank_transfer_type,
    bank_transfer_amount: fromDecimal(input.bank_transfer_amount),
    bank_transfer_iso_currency_code: input.bank_transfer_iso_currency_code,
    failure_code: input.failure_reason?.ach_return_code ?? null,
    failure_description: input.failure_reason?.description ?? null,
    direction: input.direction,
  }
  await insertRow(ctx, 'bank_transfer_events', { ...row })
  return row
}

/** The client's events after one of them, oldest first. */
export const listBankTransferEvents = (ctx: Context, afterId: number, count: number) =>
  ctx.own.all<BankTransferEventRow>(
    `select ${eventColumns} from bank_transfer_events
      where client_id = $1 and event_id > $2 order by event_id limit $3`,
    [afterId, count],
  )

/** The latest events of bank transfers before one of them, the newest first. */
export const listLatestEvents = (ctx: Context, beforeId: number, count: number) =>
  ctx.own.all<BankTransferEventRow>(
    `select ${eventColumns} from bank_transfer_events as latest
      where client_id = $1 and event_id < $2 and event_id =
        (select max(each.event_id) from bank_transfer_events as each
          where each.client_id = $1 and each.bank_transfer_id = latest.bank_transfer_id)
      order by event_id desc limit $3`,
    [beforeId, count],
  )

/** The latest event of a bank transfer. */
export const findLatestEvent = (ctx: Context, bankTransferId: string) =>
  ctx.own.first<BankTransferEventRow>(
    `select ${eventColumns} from bank_transfer_events
      where client_id = $1 and bank_transfer_id = $2 order by event_id desc limit 1`,
    [bankTransferId],
  )

export async function requireLatestEvent(
  ctx: Context,
  bankTransferId: string,
): Promise<BankTransferEventRow> {
  const row = await findLatestEvent(ctx, bankTransferId)
  if (!row) throw unknown('bank_transfer_id', 'one of your bank transfers')
  return row
}
