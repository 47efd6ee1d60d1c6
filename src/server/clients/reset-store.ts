import { clientTables } from '../db/client-tables.ts'
import type { Context } from '../kernel/context.ts'

/**
 * What belongs to people, and no test: who may sign in, who has done so, and what they did. Otherwise a reset
 * would sign out the user who asked for it.
 */
const kept: readonly string[] = [
  'audit_log',
  'dashboard_users',
  'dashboard_sign_in_keys',
  'dashboard_sessions',
]

/** Deletes the client's rows, but not the client itself. */
export async function deleteClientRows(ctx: Context): Promise<void> {
  for (const table of clientTables.filter((name) => !kept.includes(name))) {
    await ctx.own.run(`delete from ${table} where client_id = $1`)
  }
}

/** Puts the client's clock right, takes its faults away, and makes all processes forget its rate limits. */
export async function resetClient(ctx: Context): Promise<void> {
  await ctx.own.run(
    `update clients set clock_offset_ms = 0, injections = 0, resets = resets + 1
      where client_id = $1`,
  )
}
