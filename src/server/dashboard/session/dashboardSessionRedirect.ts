import { ApiError } from '../../kernel/errors.ts'
import type { VisitHandler } from '../page-handler.ts'
import { attemptSeconds, newAttempt } from '../provider/attempt.ts'

export const dashboardSessionRedirect: VisitHandler<'dashboardSessionRedirect'> = async (visit) => {
  const { service, provider } = visit
  if (!provider) throw new ApiError('SIGN_IN_PROVIDER_FAILED')
  const attempt = newAttempt(service.keys, service.clock())
  const url = await provider.toUrl(attempt)
  visit.setCookie('attempt', attempt.key, attemptSeconds)
  return { url }
}
