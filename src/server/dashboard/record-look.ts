import { auditPage } from './audit-page.ts'
import type { LookContext } from './page-handler.ts'

/** A page fetches again what it shows. That is the same look. */
const sameLookMs = 15 * 60_000

/**
 * Writes to the audit log that a user has looked at personal data or at a body, once per look. Call it
 * only where the answer has such data.
 */
export async function recordLook(ctx: LookContext, action: string, subject: string): Promise<void> {
  const since = new Date(ctx.service.clock() - sameLookMs).toISOString()
  const { actor } = ctx.who
  const known = await ctx.db.first(
    `select 1 as found from audit_log where client_id = $1 and action = $2 and at > $3
      and subject = $4 and actor = $5 limit 1`,
    [ctx.client.client_id, action, since, subject, actor],
  )
  if (!known) await auditPage(ctx, action, subject)
}
