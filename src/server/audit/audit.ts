import { insertRows } from '../db/insert-rows.ts'
import type { Context } from '../kernel/context.ts'
import type { Queries } from '../kernel/database.ts'
import { newId } from '../kernel/ids.ts'
import { toTimestamp } from '../kernel/time.ts'

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
  const row: AuditRow = {
    client_id,
    audit_id: newId('row', settings.environment),
    at: toTimestamp(clock()),
    actor,
    action,
    subject: subject ?? null,
    details: JSON.stringify(details),
  }
  await insertRows(db, 'audit_log', [{ ...row }])
}

/** The same for a client's own change. The log has the real time. */
export const auditOwn = (
  { db, settings, client, nowMs }: Context,
  change: Omit<Audited, 'client_id'>,
): Promise<void> =>
  audit({ settings, clock: () => nowMs - client.clock_offset_ms }, db, {
    ...change,
    client_id: client.client_id,
  })

/** Who changes Items without an operator or a call of their client. */
export const actors = { page: 'link page', pull: 'pull' } as const
