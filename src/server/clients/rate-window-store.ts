import type { Queries } from '../kernel/database.ts'

/** A window of time, by its beginning in real ms, in which something of a client is counted. */
interface RateWindow {
  clientId: string
  subject: string
  windowStart: number
}

/** Counts once, and returns the number in this window. Concurrent callers lose no count. */
export async function countInWindow(
  db: Queries,
  { clientId, subject, windowStart }: RateWindow,
): Promise<number> {
  const row = await db.first<{ calls: number }>(
    `insert into rate_windows (client_id, subject, window_start, calls) values ($1, $2, $3, 1)
     on conflict (client_id, subject) do update set
       calls = case when rate_windows.window_start = excluded.window_start
         then rate_windows.calls + 1 else 1 end,
       window_start = excluded.window_start
     returning calls`,
    [clientId, subject, windowStart],
  )
  return row?.calls ?? 0
}
