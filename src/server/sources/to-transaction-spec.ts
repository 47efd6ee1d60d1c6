import type { Transaction } from '#contract/closed.ts'
import type { SourceTransaction } from '../../statements/statement.ts'
import { fromDecimal, toAmount } from '../kernel/money.ts'
import { type CategoryKey, categoryKeys } from '../simulation/categories.ts'
import type { TransactionSpec } from '../simulation/item-spec.ts'
import { toPlainSpec } from '../transactions/plain-transaction.ts'
import { toOtherSide } from './counterparty.ts'
import { toCurrency } from './currency.ts'
import { type Categorized, describe } from './describe.ts'

/** The amount of a row as the interface says it: positive out of the account. */
export const amountOf = ({ amount }: Pick<SourceTransaction, 'amount'>): number =>
  toAmount(0 - fromDecimal(amount))

/** What a row tells, as a transaction. What it does not tell stays null. */
export function toTransactionSpec(row: Categorized): TransactionSpec {
  const described = describe(row)
  const { name, category, confidence } = described
  const { references = {} } = row
  const plain = toPlainSpec({
    amount: amountOf(row),
    date: row.date,
    authorized_date: references['transaction_date'] ?? null,
    ...toCurrency(row.currency),
    description: row.description,
    pending: row.status === 'pending',
  })
  return {
    ...plain,
    name,
    category,
    category_confidence: confidence,
    ...toOtherSide(row, described),
    check_number: references['check_number'] ?? null,
    payment_meta: {
      ...plain.payment_meta,
      reference_number: references['end_to_end_id'] ?? references['reference'] ?? null,
    },
    ...toDetails(row),
  }
}

/** What a source with this API tells is shown as it is. */
function toDetails({ details, category }: Categorized): Partial<TransactionSpec> {
  if (!details) return {}
  const { original_description, personal_finance_category: told, ...shown } = details
  // The operator's own words come first.
  const ofSource = category === undefined ? told : undefined
  const isKnown = ofSource != null && isCategory(ofSource.detailed)
  return {
    ...(original_description === undefined ? {} : { original_description }),
    ...(isKnown ? { category: ofSource.detailed as CategoryKey } : {}),
    // It may have values that only a newer version of the source knows, as every answer may.
    details: {
      ...shown,
      ...(ofSource === undefined ? {} : { personal_finance_category: ofSource }),
    } as Partial<Transaction>,
  }
}

const isCategory = (text: string): boolean => categoryKeys.includes(text)
