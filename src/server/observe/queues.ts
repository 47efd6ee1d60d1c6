import type { Database } from '../kernel/database.ts'

/** What waits in one queue. */
export interface QueueDepth {
  due: number
  waiting: number
  /** In ms; 0 where nothing is due. */
  oldestMs: number
}

/** A count stops here, so that its cost is bounded. */
export const mostCounted = 10_000

const queues = {
  jobs: 'from jobs',
  deliveries: 'from webhook_deliveries where due_at is not null',
}

/** Counts due and waiting rows of each queue, along the first rows of an index. */
export async function readQueues(
  { single }: Pick<Database, 'single'>,
  now: number,
): Promise<Record<keyof typeof queues, QueueDepth>> {
  const read = async (rows: string): Promise<QueueDepth> => {
    const row = await single.first<{ waiting: number; due: number | null; oldest: number | null }>(
      `select count(*) as waiting, sum(case when due_at <= $1 then 1 else 0 end) as due,
          min(due_at) as oldest
        from (select due_at ${rows} order by due_at limit ${mostCounted}) as first_rows`,
      [now],
    )
    const { waiting = 0, due = 0, oldest = null } = row ?? {}
    return { waiting, due: due ?? 0, oldestMs: Math.max(0, now - (oldest ?? now)) }
  }
  return { jobs: await read(queues.jobs), deliveries: await read(queues.deliveries) }
}
