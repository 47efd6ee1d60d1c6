import { ApiError } from '../../kernel/errors.ts'
import type { VisitHandler } from '../page-handler.ts'
import { toSession } from './session.ts'

export const dashboardSessionGet: VisitHandler<'dashboardSessionGet'> = async ({
  service,
  session,
}) => {
  if (!session) throw new ApiError('SIGN_IN_REQUIRED')
  return { session: toSession(session, service.settings.environment) }
}
