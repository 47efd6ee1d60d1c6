import type { SweepSettlement, TransferNetwork, TransferType } from '#contract/types.ts'
import { toTimestamp } from '../kernel/time.ts'
import { addBusinessDays, isBusinessDay } from './business-days.ts'
import { fromEastern, toEastern } from './eastern-time.ts'

/** How and when a transfer is handed to its network. */
export interface Submission {
  network: TransferNetwork
  /** The banking day on which the network takes it. */
  date: string
  /** Until when it can be cancelled; null on a network that works around the clock. */
  deadline: string | null
}

/** The time in New York until which a network takes what is to leave on the same business day. */
const cutOffs: Record<TransferNetwork, string | null> = {
  'same-day-ach': '15:30:00',
  wire: '18:30:00',
  ach: '20:30:00',
  rtp: null,
}

/** Plans a transfer that is created now: a late same-day one goes over standard rails. */
export function planSubmission(network: TransferNetwork, created: string): Submission {
  const [today = '', time = ''] = toEastern(Date.parse(created)).split('T')
  const cutOff = cutOffs[network]
  if (cutOff === null) return { network, date: today, deadline: null }
  const isLate = isBusinessDay(today) && time > cutOff
  if (isLate && network === 'same-day-ach') return planSubmission('ach', created)
  const date = isBusinessDay(today) && !isLate ? today : addBusinessDays(today, 1)
  return { network, date, deadline: toTimestamp(fromEastern(`${date}T${cutOff}`)) }
}

/** How many business days after its submission a transfer settles. */
const settlementDays: Record<TransferNetwork, number> = {
  ach: 2,
  'same-day-ach': 0,
  wire: 0,
  rtp: 0,
}

export const settlementDate = ({ network, date }: Submission): string =>
  addBusinessDays(date, settlementDays[network])

export const isAch = (network: TransferNetwork): boolean =>
  network === 'ach' || network === 'same-day-ach'

const [standardWindow, unauthorizedWindow] = [3, 61]

/** The days after which an ACH transfer can no longer be returned; other networks have none. */
export const toReturnWindows = (network: TransferNetwork, settlement: string) => ({
  standard_return_window: isAch(network) ? addBusinessDays(settlement, standardWindow) : null,
  unauthorized_return_window: isAch(network)
    ? addBusinessDays(settlement, unauthorizedWindow)
    : null,
})

const [holdDays, sweepDays] = [5, 1]

/** When the money of an ACH debit can be used, and when it arrives in the funding account. */
export function toFundsDates(
  transfer: { type: TransferType; network: TransferNetwork; amount: string },
  settlement: string,
): { available: string | null; schedule: SweepSettlement[] | null } {
  if (transfer.type !== 'debit' || !isAch(transfer.network)) {
    return { available: null, schedule: null }
  }
  const available = addBusinessDays(settlement, holdDays)
  const sweep_settlement_date = addBusinessDays(available, sweepDays)
  const schedule = [{ sweep_settlement_date, swept_settled_amount: transfer.amount }]
  return { available, schedule }
}
