import type { DashboardAccount, DashboardItem } from '../../../../generated/dashboard/closed.ts'
import { errorCatalogue } from '../../../../generated/errors.ts'
import { toHealthKey } from '../../items/item.ts'
import { toAmount } from '../../kernel/money.ts'
import type { ItemAccountRow, ItemListRow } from './store.ts'

export const toDashboardItem = (row: ItemListRow): DashboardItem => ({
  item_id: row.item_id,
  institution_id: row.institution_id,
  institution_name: row.institution_name,
  connector: row.connector,
  error_code: row.health_error,
  created_at: row.created_at,
  removed_at: row.removed_at,
})

/** What an error means, and what to do. */
export function toAdvice(healthError: string): { meaning: string; action: string } {
  const { meaning, action } = errorCatalogue[toHealthKey(healthError)]
  return { meaning, action }
}

/** An account; without personal data it says of which kind it is, and no more. */
export function toDashboardAccount(
  row: ItemAccountRow & { account_id: string },
  seesPersonalData: boolean,
): DashboardAccount {
  const shown = <Shown>(value: Shown): Shown | null => (seesPersonalData ? value : null)
  const toShownAmount = (minor: number | null) => shown(minor === null ? null : toAmount(minor))
  return {
    account_id: row.account_id,
    type: row.type,
    subtype: row.subtype,
    name: shown(row.name),
    mask: shown(row.mask),
    currency: row.iso_currency_code ?? row.unofficial_currency_code,
    current: toShownAmount(row.current),
    available: toShownAmount(row.available),
    limit: toShownAmount(row.credit_limit),
    closed: row.closed === 1,
  }
}
