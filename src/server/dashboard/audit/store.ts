import type { Context } from '../../kernel/context.ts'
import type { AuditRow } from '../../operator/audit-store.ts'
import type { Filter } from '../filter.ts'

/** The client's part of the log before an entry, the newest first: ids are made in the order of time. */
export const listAuditPage = (
  ctx: Context,
  before: string | undefined,
  limit: number,
  filter: Filter,
) =>
  ctx.own.all<Omit<AuditRow, 'client_id'>>(
    `select audit_id, at, actor, action, subject, details from audit_log
      where client_id = $1 and audit_id < $2${filter.sql} order by audit_id desc limit $3`,
    [before ?? afterAll, limit, ...filter.values],
  )

/** Ids consist of digits, letters up to f, and hyphens. */
const afterAll = 'g'
