import { invalidField } from '../../kernel/errors.ts'
import { auditPage } from '../audit-page.ts'
import type { PageHandler } from '../page-handler.ts'
import { endSession, endSessionsOf } from './store.ts'

export const dashboardTeamSessionEnd: PageHandler<'dashboardTeamSessionEnd'> = async (
  ctx,
  { body: { session_id, user_id } },
) => {
  if (session_id !== undefined && user_id !== undefined) {
    throw invalidField('`session_id` must not come together with `user_id`')
  }
  if (session_id === undefined && user_id === undefined) {
    throw invalidField('`session_id` must be given, or `user_id`')
  }
  const ended =
    user_id === undefined
      ? await endSession(ctx, session_id as string)
      : await endSessionsOf(ctx, user_id)
  const [whose] = ended
  // What has ended already needs no entry.
  if (whose) {
    await auditPage(ctx, 'dashboard-session.end', whose.user_id, { sessions: ended.length })
  }
  return { ended: ended.length }
}
