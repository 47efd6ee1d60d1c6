import { child, childrenOf, type Element, textAt } from './elements.ts'
import type { Emit, SourceTransaction } from './statement.ts'
import {
  dayOrNothing,
  InvalidValue,
  leadingDate,
  negate,
  plainText,
  sumOf,
  toAmount,
  withValues,
} from './values.ts'

/** Entries that are no bookings: for information, or planned. */
const noBookings = new Set(['INFO', 'FUTR'])

/**
 * The bookings of an entry: one, or one for each of its details where their amounts add up to the
 * entry's, as they do when a bank books many payments at once.
 */
export function toEntryRows(entry: Element, currency: string, emit: Emit): SourceTransaction[] {
  // Version 8 has the code in an element of its own.
  const status = textAt(entry, 'Sts', 'Cd') ?? textAt(entry, 'Sts')
  if (status !== undefined && noBookings.has(status)) {
    const message = `an entry with the status ${status} is no booking`
    emit({ kind: 'issue', issue: { line: entry.line, code: 'NO_BOOKING', message } })
    return []
  }
  const shared = sharedOf(entry, currency, status)
  const details = childrenOf(entry, 'NtryDtls').flatMap((each) => childrenOf(each, 'TxDtls'))
  const amounts = details.map((each) =>
    amountOf(each, directionOf(each) ?? shared.direction, shared.currency),
  )
  const rows = details.length > 1 && addUp(amounts, shared.amount) ? details : [details[0]]
  return rows.map((detail, index) => {
    const only = rows.length === 1
    return {
      ...withValues({ id: (only ? shared.id : undefined) ?? idOf(detail) }),
      status: shared.status,
      amount: (only ? undefined : amounts[index]) ?? shared.amount,
      currency: shared.currency,
      date: shared.date,
      ...withValues({ value_date: shared.value_date }),
      ...wordsOf(entry, detail, shared.direction),
    }
  })
}

function sharedOf(entry: Element, accountCurrency: string, status: string | undefined) {
  const amount = child(entry, 'Amt')
  const direction = directionOf(entry)
  const [booked, value] = [dayOf(entry, 'BookgDt'), dayOf(entry, 'ValDt')]
  if (!amount) throw new InvalidValue('MISSING_VALUE', 'the entry has no Amt')
  if (!direction) throw new InvalidValue('MISSING_VALUE', 'CdtDbtInd must be CRDT or DBIT')
  const date = booked ?? value
  if (date === undefined) throw new InvalidValue('MISSING_VALUE', 'the entry has no BookgDt')
  return {
    // Not `NtryRef`, which many banks restart in each statement.
    id: textAt(entry, 'AcctSvcrRef'),
    status: status === 'PDNG' ? ('pending' as const) : ('posted' as const),
    direction,
    amount: signed(toAmount(amount.text, 'Amt'), direction),
    currency: amount.attributes['Ccy'] ?? accountCurrency,
    date,
    value_date: value,
  }
}

/** `RvslInd` only marks a reversal: the direction already is that of the reversal. */
function directionOf(element: Element): 'CRDT' | 'DBIT' | undefined {
  const direction = textAt(element, 'CdtDbtInd')
  return direction === 'CRDT' || direction === 'DBIT' ? direction : undefined
}

const signed = (amount: string, direction: string): string =>
  direction === 'DBIT' ? negate(amount) : amount

/** What a detail moved in the account's currency; undefined where it does not tell. */
function amountOf(detail: Element, direction: string, currency: string): string | undefined {
  const amount = child(detail, 'Amt') ?? child(child(child(detail, 'AmtDtls'), 'TxAmt'), 'Amt')
  if (!amount || amount.attributes['Ccy'] !== currency) return undefined
  return signed(toAmount(amount.text, 'Amt of TxDtls'), direction)
}

const addUp = (amounts: readonly (string | undefined)[], total: string): boolean =>
  amounts.every((amount) => amount !== undefined) && sumOf(amounts) === sumOf([total])

function dayOf(entry: Element, name: string): string | undefined {
  const day = textAt(entry, name, 'Dt') ?? textAt(entry, name, 'DtTm')
  return day === undefined ? undefined : leadingDate(day, name)
}

/** The bank's own id of one of several payments in an entry. */
function idOf(detail: Element | undefined): string | undefined {
  const references = child(detail, 'Refs')
  return (
    textAt(references, 'AcctSvcrRef') ?? textAt(references, 'TxId') ?? textAt(references, 'UETR')
  )
}

function wordsOf(entry: Element, detail: Element | undefined, direction: string) {
  const parties = child(detail, 'RltdPties')
  const party = child(parties, direction === 'CRDT' ? 'Dbtr' : 'Cdtr')
  // From version 8 on, a party may be wrapped.
  const counterparty = plainText(textAt(party, 'Pty', 'Nm') ?? textAt(party, 'Nm'))
  const remittance = child(detail, 'RmtInf')
  const written = childrenOf(remittance, 'Ustrd').map(({ text }) => text)
  const structured = childrenOf(remittance, 'Strd').map((each) => textAt(each, 'CdtrRefInf', 'Ref'))
  const added = textAt(detail, 'AddtlTxInf') ?? textAt(entry, 'AddtlNtryInf')
  const remitted = plainText(...written, ...structured)
  const references = child(detail, 'Refs')
  const account = child(child(parties, direction === 'CRDT' ? 'DbtrAcct' : 'CdtrAcct'), 'Id')
  const marks = withValues({
    entry_reference: textAt(entry, 'NtryRef'),
    end_to_end_id: given(textAt(references, 'EndToEndId')),
    transaction_id: textAt(references, 'TxId'),
    uetr: textAt(references, 'UETR'),
    transaction_date: dayOrNothing(textAt(detail, 'RltdDts', 'TxDtTm'), 'TxDtTm'),
    mandate_id: given(textAt(references, 'MndtId')),
    counterparty_account: textAt(account, 'IBAN') ?? textAt(account, 'Othr', 'Id'),
    reversal: textAt(entry, 'RvslInd') === 'true' ? 'true' : undefined,
  })
  return {
    description: plainText(counterparty, remitted || added) || plainText(added),
    ...withValues({ counterparty }),
    ...(marks ? { references: marks } : {}),
  }
}

const given = (text: string | undefined): string | undefined =>
  text === 'NOTPROVIDED' ? undefined : text
