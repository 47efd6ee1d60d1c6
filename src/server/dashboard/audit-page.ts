import { audit } from '../operator/audit.ts'
import type { LookContext } from './page-handler.ts'

/** Writes what a user did to the audit log, in the transaction of the change. */
export const auditPage = (
  ctx: LookContext,
  action: string,
  subject: string,
  details: Readonly<Record<string, unknown>> = {},
): Promise<void> =>
  audit(ctx.service, ctx.db, {
    actor: ctx.who.actor,
    action,
    client_id: ctx.client.client_id,
    subject,
    details: { ...details, address: ctx.who.address },
  })
