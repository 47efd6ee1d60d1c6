import { insertRows } from '../db/insert-rows.ts'
import type { Queries } from '../kernel/database.ts'

/** What somebody changed. */
export interface AuditRow {
  /** Empty where the change is not about one client. */
  client_id: string
  audit_id: string
  at: string
  actor: string
  action: string
  subject: string | null
  /** A JSON object without secrets. */
  details: string
}

export const insertAudit = (db: Queries, row: AuditRow): Promise<number> =>
  insertRows(db, 'audit_log', [{ ...row }])

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
