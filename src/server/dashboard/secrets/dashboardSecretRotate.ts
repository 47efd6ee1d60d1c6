import { toTimestamp } from '../../kernel/time.ts'
import { replaceSecret } from '../../operator/client-store.ts'
import { auditPage } from '../audit-page.ts'
import type { PageHandler } from '../page-handler.ts'

export const dashboardSecretRotate: PageHandler<'dashboardSecretRotate'> = async (
  ctx,
  { body },
) => {
  const { grace_seconds = 0 } = body
  const { client_id } = ctx.client
  const secret = `secret-${ctx.newId('secret')}`
  const until = ctx.realMs() + grace_seconds * 1000
  await replaceSecret(ctx.db, client_id, ctx.keys.hash(secret), until)
  await auditPage(ctx, 'client.rotate-secret', client_id, { grace_seconds })
  return { secret, previous_secret_until: toTimestamp(until) }
}
