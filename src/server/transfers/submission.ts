import type { SweepSettlement, TransferNetwork, TransferType } from '#contract/closed.ts'
import { toTimestamp } from '../kernel/time.ts'
import { addBusinessDays, isBusinessDay } from './business-days.ts'
import { fromEastern, toEastern } from './eastern-time.ts'

/** How and when a transfer is submitted to its network. */
interface Submission {
  network: TransferNetwork
  /** The business day on which the network accepts it. */
  date: string
  /** The time until which it can be cancelled. Null on a network that operates at all hours. */
  deadline: string | null
}

/** The cut-off time in New York for submission on the same business day. */
const cutOffs: Record<TransferNetwork, string | null> = {
  'same-day-ach': '15:30:00',
  wire: '18:30:00',
  ach: '20:30:00',
  rtp: null,
}

/**
 * Plans the submission of a transfer that is created now. After the cut-off a same-day one becomes
 * a standard one.
 */
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

/** The last days on which an ACH transfer can be returned. Other networks have none. */
export const toReturnWindows = (network: TransferNetwork, settlement: string) => ({
  standard_return_window: isAch(network) ? addBusinessDays(settlement, standardWindow) : null,
  unauthorized_return_window: isAch(network)
    ? addBusinessDays(settlement, unauthorizedWindow)
    : null,
})

const [holdDays, sweepDays] = [5, 1]

/** When the money of an ACH debit becomes available, and when it arrives in the funding account. */
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
