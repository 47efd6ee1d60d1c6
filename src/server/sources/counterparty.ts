import type { CounterpartyType } from '#contract/closed.ts'
import type { SourceTransaction } from '../../statements/statement.ts'
import type { CounterpartySpec } from '../simulation/item-spec.ts'
import type { Described } from './describe.ts'

/** What TRNTYPE of OFX calls bookings whose NAME is a description, and nobody's name. */
const nameless = new Set(['CHECK', 'ATM', 'FEE', 'SRVCHG', 'INT', 'DIV', 'XFER', 'CASH', 'DEP'])

/** The fields of a transaction for the other side, as far as the file names it. */
export function toOtherSide(
  { counterparty, references, amount }: SourceTransaction,
  described: Described,
): { merchant_name: string | null; counterparties: CounterpartySpec[] } {
  const { name, isMerchant, confidence } = described
  const isNamed = counterparty !== undefined && !nameless.has(references?.['type'] ?? '')
  const isOut = amount.startsWith('-')
  const type = isMerchant ? 'merchant' : isNamed ? typeOf(described, isOut) : undefined
  if (type === undefined) return { merchant_name: null, counterparties: [] }
  const other: CounterpartySpec = {
    name,
    type,
    website: null,
    entity_id: null,
    logo: null,
    confidence_level: isNamed ? 'HIGH' : confidence,
  }
  // Money that goes to a name alone may go to a person.
  const isSure = isMerchant || confidence !== 'LOW'
  return { merchant_name: type === 'merchant' && isSure ? name : null, counterparties: [other] }
}

/** The part of somebody whom a file names; undefined for a person, for whom there is none. */
function typeOf({ category }: Described, isOut: boolean): CounterpartyType | undefined {
  if (category.startsWith('TRANSFER_')) return undefined
  if (/^(?:LOAN|BANK)_/.test(category)) return 'financial_institution'
  if (isOut) return 'merchant'
  return category.startsWith('INCOME_') ? 'income_source' : 'merchant'
}
