import { actors, auditOwn } from '../audit/audit.ts'
import { changeHealth } from '../items/change-health.ts'
import type { ItemRow } from '../items/store.ts'
import type { Context } from '../kernel/context.ts'

/** Sets what is wrong with a locked Item, and notes in the log of changes who has changed it. */
export async function changeSourceHealth(
  ctx: Context,
  item: ItemRow,
  health: Parameters<typeof changeHealth>[2],
  by: keyof typeof actors,
): Promise<void> {
  await changeHealth(ctx, item, health)
  const [before, after] = [item.health_error, health.health_error]
  if (before === after) return
  const change = { actor: actors[by], action: 'item.health', subject: item.item_id }
  await auditOwn(ctx, { ...change, details: { before, after } })
}
