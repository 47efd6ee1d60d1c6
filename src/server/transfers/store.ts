import type {
  AchClass,
  BankTransferDirection,
  BankTransferEventType,
  GuaranteeDecision,
  RefundStatus,
  SweepStatus,
  TransferNetwork,
  TransferStatus,
  TransferType,
} from '../../../generated/2020-09-14/types.ts'
import type { Context } from '../context.ts'
import { ApiError } from '../errors.ts'
import { fromDecimal } from '../money.ts'
import type { BankTransferEventInput } from './bank-transfer-event.ts'
import { type RefundInput, type TransferInput, toTransferRow } from './transfer.ts'

/** A transfer; money in minor units. */
export interface TransferRow {
  transfer_id: string
  authorization_id: string
  account_id: string | null
  funding_account_id: string | null
  ledger_id: string | null
  type: TransferType
  /** JSON, as `metadata` and `sweep_schedule`. */
  transfer_user: string
  amount: number
  description: string
  created: string
  status: TransferStatus
  sweep_status: SweepStatus | null
  network: TransferNetwork
  ach_class: AchClass | null
  message_to_beneficiary: string | null
  wire_return_fee: number | null
  cancellable_until: string | null
  failure_code: string | null
  failure_description: string | null
  metadata: string | null
  origination_account_id: string
  guarantee_decision: GuaranteeDecision | null
  guarantee_code: string | null
  guarantee_description: string | null
  iso_currency_code: string
  standard_return_window: string | null
  unauthorized_return_window: string | null
  expected_settlement_date: string | null
  expected_funds_available_date: string | null
  originator_client_id: string | null
  recurring_transfer_id: string | null
  sweep_schedule: string | null
  facilitator_fee: number | null
  network_trace_id: string | null
  refund_count: number
}

/** A refund, at its place among those of its transfer. */
export interface RefundRow {
  refund_id: string
  transfer_id: string
  position: number
  amount: number
  status: RefundStatus
  failure_code: string | null
  failure_description: string | null
  ledger_id: string | null
  created: string
  network_trace_id: string | null
}

export interface BankTransferEventRow {
  event_id: number
  timestamp: string
  event_type: BankTransferEventType
  account_id: string
  bank_transfer_id: string
  origination_account_id: string | null
  bank_transfer_type: TransferType
  bank_transfer_amount: number
  bank_transfer_iso_currency_code: string
  failure_code: string | null
  failure_description: string | null
  direction: BankTransferDirection | null
}

const transferColumns = [
  ...(['transfer_id', 'authorization_id', 'account_id', 'funding_account_id'] as const),
  ...(['ledger_id', 'type', 'transfer_user', 'amount', 'description', 'created'] as const),
  ...(['status', 'sweep_status', 'network', 'ach_class', 'message_to_beneficiary'] as const),
  ...(['wire_return_fee', 'cancellable_until', 'failure_code', 'failure_description'] as const),
  ...(['metadata', 'origination_account_id', 'guarantee_decision', 'guarantee_code'] as const),
  ...(['guarantee_description', 'iso_currency_code', 'standard_return_window'] as const),
  ...(['unauthorized_return_window', 'expected_settlement_date'] as const),
  ...(['expected_funds_available_date', 'originator_client_id'] as const),
  ...(['recurring_transfer_id', 'sweep_schedule', 'facilitator_fee'] as const),
  ...(['network_trace_id', 'refund_count'] as const),
] satisfies (keyof TransferRow)[]

/** What a change of status can change. */
const movingColumns = [
  ...(['status', 'sweep_status', 'failure_code', 'failure_description'] as const),
  ...(['standard_return_window', 'unauthorized_return_window', 'expected_settlement_date'] as const),
  ...(['expected_funds_available_date', 'sweep_schedule', 'network_trace_id'] as const),
] satisfies (keyof TransferRow)[]

const refundColumns = [
  ...(['refund_id', 'transfer_id', 'position', 'amount', 'status', 'failure_code'] as const),
  ...(['failure_description', 'ledger_id', 'created', 'network_trace_id'] as const),
] satisfies (keyof RefundRow)[]

const eventColumns = [
  ...(['event_id', 'timestamp', 'event_type', 'account_id', 'bank_transfer_id'] as const),
  ...(['origination_account_id', 'bank_transfer_type', 'bank_transfer_amount'] as const),
  ...(['bank_transfer_iso_currency_code', 'failure_code', 'failure_description'] as const),
  ...(['direction'] as const),
] satisfies (keyof BankTransferEventRow)[]

/** The client is the first column of each table here. */
const insertInto = (table: string, columns: readonly string[]): string =>
  `insert into ${table} (client_id, ${columns.join(', ')})
    values ($1, ${columns.map((_, index) => `$${index + 2}`).join(', ')})`

const findBy = (ctx: Context, column: 'transfer_id' | 'authorization_id', id: string) =>
  ctx.db.first<TransferRow>(
    `select ${transferColumns.join(', ')} from transfers where client_id = $1 and ${column} = $2`,
    [ctx.client.client_id, id],
  )

const unknown = (field: string, what: string) =>
  new ApiError('INVALID_FIELD', { message: `\`${field}\` must be the id of ${what}` })

export async function requireTransfer(ctx: Context, transferId: string): Promise<TransferRow> {
  const row = await findBy(ctx, 'transfer_id', transferId)
  if (!row) throw unknown('transfer_id', 'one of your transfers')
  return row
}

export async function requireTransferOfAuthorization(
  ctx: Context,
  authorizationId: string,
): Promise<TransferRow> {
  const row = await findBy(ctx, 'authorization_id', authorizationId)
  if (!row) throw unknown('authorization_id', 'the authorization of one of your transfers')
  return row
}

/** Whether the client made a transfer for that originator: only a granted client can. */
export const hasTransferFor = async (ctx: Context, originatorId: string): Promise<boolean> =>
  (await ctx.db.first(
    'select 1 as found from transfers where client_id = $1 and originator_client_id = $2 limit 1',
    [ctx.client.client_id, originatorId],
  )) !== undefined

/** Writes a transfer in any state, with its refunds. */
export async function insertTransfer(ctx: Context, input: TransferInput): Promise<TransferRow> {
  const row = toTransferRow(input, () => ctx.newId('uuid'))
  await ctx.db.run(insertInto('transfers', transferColumns), [
    ctx.client.client_id,
    ...transferColumns.map((column) => row[column]),
  ])
  for (const refund of input.refunds ?? []) await insertRefund(ctx, row.transfer_id, refund)
  return row
}

/** Writes what a move changed; false when another move of the transfer came first. */
export const moveTransfer = async (
  ctx: Context,
  from: TransferRow,
  to: TransferRow,
): Promise<boolean> =>
  (await ctx.db.run(
    `update transfers set ${movingColumns.map((column, index) => `${column} = $${index + 4}`)}
      where client_id = $1 and transfer_id = $2 and status = $3`,
    [
      ctx.client.client_id,
      from.transfer_id,
      from.status,
      ...movingColumns.map((column) => to[column]),
    ],
  )) > 0

/** Sets the sweep of a transfer that can have one; false for one that never moves money. */
export const updateSweep = async (
  ctx: Context,
  transferId: string,
  sweepStatus: SweepStatus,
): Promise<boolean> =>
  (await ctx.db.run(
    `update transfers set sweep_status = $3
      where client_id = $1 and transfer_id = $2 and status not in ('cancelled', 'failed')`,
    [ctx.client.client_id, transferId, sweepStatus],
  )) > 0

export const listRefunds = (ctx: Context, transferId: string) =>
  ctx.db.all<RefundRow>(
    `select ${refundColumns.join(', ')} from refunds
      where client_id = $1 and transfer_id = $2 order by position`,
    [ctx.client.client_id, transferId],
  )

export async function requireRefund(ctx: Context, refundId: string): Promise<RefundRow> {
  const row = await ctx.db.first<RefundRow>(
    `select ${refundColumns.join(', ')} from refunds where client_id = $1 and refund_id = $2`,
    [ctx.client.client_id, refundId],
  )
  if (!row) throw unknown('refund_id', 'one of your refunds')
  return row
}

/** Writes a refund after the others of its transfer, whose row stays locked until the commit. */
export async function insertRefund(
  ctx: Context,
  transferId: string,
  input: RefundInput,
): Promise<RefundRow> {
  const place = await ctx.db.first<{ refund_count: number }>(
    `update transfers set refund_count = refund_count + 1
      where client_id = $1 and transfer_id = $2 returning refund_count`,
    [ctx.client.client_id, transferId],
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
  await ctx.db.run(insertInto('refunds', refundColumns), [
    ctx.client.client_id,
    ...refundColumns.map((column) => row[column]),
  ])
  return row
}

/** Writes what a move changed; false when another move of the refund came first. */
export const moveRefund = async (
  ctx: Context,
  from: RefundRow,
  to: RefundRow,
): Promise<boolean> =>
  (await ctx.db.run(
    `update refunds set status = $4, failure_code = $5, failure_description = $6,
        network_trace_id = $7
      where client_id = $1 and refund_id = $2 and status = $3`,
    [
      ctx.client.client_id,
      from.refund_id,
      from.status,
      to.status,
      to.failure_code,
      to.failure_description,
      to.network_trace_id,
    ],
  )) > 0

/** The next number of the client's events: counted on in this transaction, so without a gap. */
async function nextEventId(ctx: Context): Promise<number> {
  const row = await ctx.db.first<{ last_event_id: number }>(
    `insert into bank_transfer_counters (client_id, last_event_id) values ($1, 1)
      on conflict (client_id) do update
        set last_event_id = bank_transfer_counters.last_event_id + 1
      returning last_event_id`,
    [ctx.client.client_id],
  )
  if (!row) throw new Error('the counter of bank transfer events gave no number')
  return row.last_event_id
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
  await ctx.db.run(insertInto('bank_transfer_events', eventColumns), [
    ctx.client.client_id,
    ...eventColumns.map((column) => row[column]),
  ])
  return row
}

/** The client's events after one of them, oldest first. */
export const listBankTransferEvents = (ctx: Context, afterId: number, count: number) =>
  ctx.db.all<BankTransferEventRow>(
    `select ${eventColumns.join(', ')} from bank_transfer_events
      where client_id = $1 and event_id > $2 order by event_id limit $3`,
    [ctx.client.client_id, afterId, count],
  )

/** What happened last to a bank transfer. */
export async function requireLatestEvent(
  ctx: Context,
  bankTransferId: string,
): Promise<BankTransferEventRow> {
  const row = await ctx.db.first<BankTransferEventRow>(
    `select ${eventColumns.join(', ')} from bank_transfer_events
      where client_id = $1 and bank_transfer_id = $2 order by event_id desc limit 1`,
    [ctx.client.client_id, bankTransferId],
  )
  if (!row) throw unknown('bank_transfer_id', 'one of your bank transfers')
  return row
}
