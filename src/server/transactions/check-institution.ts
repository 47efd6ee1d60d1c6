import { healthError } from '../items/item.ts'
import { findItem, type ItemRow, lockItem, updateItem } from '../items/store.ts'
import type { Context } from '../kernel/context.ts'
import { addDays, toDate } from '../kernel/time.ts'
import { deleteJobs } from '../queue/job-store.ts'
import { announceChanges, type ShownChanges } from './emit-updates.ts'
import { evolveTransactions } from './evolution.ts'
import { saveEvolvedOn } from './evolution-store.ts'
import { pullTransactions } from './pull.ts'
import { findNextDate } from './pull-store.ts'

/** The times of day when institutions are checked. A refresh gets the day's changes earlier. */
const timeOfCheck = 'T06:00:00Z'

/** Reads the institution's changes since the last check. */
export async function readInstitution(ctx: Context, item: ItemRow): Promise<ShownChanges> {
  const removed = await evolveTransactions(ctx, item)
  return { added: await pullTransactions(ctx, item), modified: false, removed }
}

/** Checks the institution of an Item, and schedules the next check. */
export async function checkInstitution(
  ctx: Context,
  { item_id }: { item_id: string },
): Promise<void> {
  const item = await findLiving(ctx, item_id)
  if (!item) return
  // Without a working login nothing can be read. A later check finds the changes.
  const isHealthy = healthError(item, 'transactions') === undefined
  if (isHealthy) await announceChanges(ctx, item, await readInstitution(ctx, item))
  else await updateItem(ctx, item_id, { transactions_failed_at: ctx.now })
  await planCheck(ctx, item, isHealthy)
}

/** The Item of a job, locked until the job ends. Undefined if the Item was removed. */
export async function findLiving(ctx: Context, itemId: string): Promise<ItemRow | undefined> {
  const item = await findItem(ctx, itemId)
  return item?.removed_at === null ? lockItem(ctx, itemId) : undefined
}

/** Schedules the next check, if it can find changes. */
export async function planCheck(ctx: Context, item: ItemRow, isHealthy = true): Promise<void> {
  const payload = { item_id: item.item_id }
  await deleteJobs(ctx, 'transactionsCheck', payload)
  const evolves = item.evolves === 1 && ctx.settings.environment === 'sandbox'
  const isDaily = evolves || !isHealthy
  const date = isDaily ? nextDate(ctx.now) : await findNextDate(ctx, item.item_id, toDate(ctx.now))
  if (date === null) return
  const delay = Date.parse(date + timeOfCheck) - Date.parse(ctx.now)
  await ctx.schedule('transactionsCheck', payload, delay)
}

/** The day of the next check. */
const nextDate = (now: string): string =>
  now < toDate(now) + timeOfCheck ? toDate(now) : addDays(toDate(now), 1)

/** Starts the daily evolution of an Item's data after a day; the default is today. */
export async function startEvolution(
  ctx: Context,
  item: ItemRow,
  since: string = toDate(ctx.now),
): Promise<void> {
  await saveEvolvedOn(ctx, item.item_id, since)
  await planCheck(ctx, item)
}
