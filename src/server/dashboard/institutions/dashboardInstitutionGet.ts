import { ApiError } from '../../kernel/errors.ts'
import type { PageHandler } from '../page-handler.ts'
import { toAuthMethods, toDashboardInstitution, toParts } from './institution.ts'
import { listOfId } from './store.ts'

export const dashboardInstitutionGet: PageHandler<'dashboardInstitutionGet'> = async (
  ctx,
  { body },
) => {
  const rows = await listOfId(ctx, body.institution_id)
  const row = rows.find(({ client_id }) => client_id !== '') ?? rows[0]
  if (!row) throw new ApiError('OBJECT_NOT_FOUND')
  return {
    institution: toDashboardInstitution(row),
    url: row.url,
    routing_numbers: JSON.parse(row.routing_numbers) as string[],
    auth_methods: toAuthMethods(row),
    parts: toParts(row),
  }
}
dashboardInstitutionGet.reads = true
