import type { Context } from '../../kernel/context.ts'
import type { AuditRow } from '../../operator/audit-store.ts'
import type { Filter } from '../filter.ts'
import type { TimePlace } from '../newest-first.ts'

/** The client's part of the log before an entry, the newest first. */
export const listAuditPage = (ctx: Context, before: TimePlace, limit: number, filter: Filter) =>
  ctx.own.all<Omit<AuditRow, 'client_id'>>(
    `select audit_id, at, actor, action, subject, details from audit_log
      where client_id = $1 and (at, audit_id) < ($2, $3)${filter.sql}
      order by at desc, audit_id desc limit $4`,
    [before.at, before.id, limit, ...filter.values],
  )
