import type { Service } from '../kernel/service.ts'
import { type AuditRow, listAudit } from './audit-store.ts'

/** Reads the audit log: the rows after one, the oldest first. */
export interface AuditCommand {
  audit: 'list'
  after: Pick<AuditRow, 'at' | 'audit_id'>
  count: number
}

/** A change that the log holds. */
export type AuditEntry = Omit<AuditRow, 'details'> & { details: Record<string, unknown> }

/** Carries out a command about the audit log. */
export async function runAuditCommand(
  { database }: Service,
  { after, count }: AuditCommand,
): Promise<{ entries: AuditEntry[] }> {
  const rows = await database.read((db) => listAudit(db, after, count))
  return {
    entries: rows.map(({ details, ...row }) => ({
      ...row,
      details: JSON.parse(details) as Record<string, unknown>,
    })),
  }
}
