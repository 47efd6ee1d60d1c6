import type { AuditRow } from '../audit/audit.ts'
import type { Queries } from '../kernel/database.ts'

export type { AuditRow }

/** A page of the log, the oldest first; `after` is the last row that is known. */
export const listAudit = (
  db: Queries,
  after: Pick<AuditRow, 'at' | 'audit_id'>,
  limit: number,
): Promise<AuditRow[]> =>
  db.all<AuditRow>(
    `select client_id, audit_id, at, actor, action, subject, details from audit_log
      where (at, audit_id) > ($1, $2) order by at, audit_id limit $3`,
    [after.at, after.audit_id, limit],
  )
