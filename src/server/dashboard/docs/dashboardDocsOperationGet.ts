import { ApiError } from '../../kernel/errors.ts'
import type { LookHandler } from '../page-handler.ts'
import { describeInDocs } from './describe-in-docs.ts'

export const dashboardDocsOperationGet: LookHandler<'dashboardDocsOperationGet'> = async (
  ctx,
  { body },
) => {
  const found = await describeInDocs(body.operation, ctx.settings.environment)
  if (!found) throw new ApiError('OBJECT_NOT_FOUND')
  return found
}
dashboardDocsOperationGet.isApart = true
