import type { VisitHandler } from '../page-handler.ts'
import { signsInLocally } from './session.ts'

export const dashboardSessionOptionsGet: VisitHandler<'dashboardSessionOptionsGet'> = async ({
  service: { settings },
  sender,
  provider,
}) => ({
  environment: settings.environment,
  provider: provider?.host ?? null,
  local: signsInLocally(settings.environment, sender),
})
