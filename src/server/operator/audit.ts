import type { Queries } from '../kernel/database.ts'
import { newId } from '../kernel/ids.ts'
import { toTimestamp } from '../kernel/time.ts'
import { insertAudit } from './audit-store.ts'

/** A change that the log keeps. It must not hold secrets. */
export interface Audited {
  actor: string
  action: string
  client_id?: string
  subject?: string
  details?: Readonly<Record<string, unknown>>
}

interface Place {
  clock(): number
  settings: { environment: string }
}

/** Writes a change to the log, in the transaction of the change. */
export async function audit(
  { clock, settings }: Place,
  db: Queries,
  { actor, action, client_id = '', subject, details = {} }: Audited,
): Promise<void> {
  await insertAudit(db, {
    client_id,
    audit_id: newId('row', settings.environment),
    at: toTimestamp(clock()),
    actor,
    action,
    subject: subject ?? null,
    details: JSON.stringify(details),
  })
}
