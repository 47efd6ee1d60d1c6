import { type HealthInput, toHealthColumns } from '../../fixtures/insert-item.ts'
import { changeHealth as change } from '../../items/change-health.ts'
import type { ItemRow } from '../../items/store.ts'
import type { Context } from '../../kernel/context.ts'

/** Sets what is wrong with a locked Item, as a test wants it. */
export const changeHealth = (
  ctx: Context,
  item: ItemRow,
  error: HealthInput | null,
): Promise<void> => change(ctx, item, toHealthColumns(error))
