import { hintOf } from '../../../nearest.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { LookHandler } from '../page-handler.ts'
import { describeInDocs } from './describe-in-docs.ts'

export const dashboardDocsOperationGet: LookHandler<'dashboardDocsOperationGet'> = async (
  ctx,
  { body },
) => {
  const found = await describeInDocs(body.operation, ctx.settings.environment)
  if (!Array.isArray(found)) return found
  const message = `there is no such operation${hintOf(body.operation, found)}`
  throw new ApiError('OBJECT_NOT_FOUND', { message })
}
dashboardDocsOperationGet.isApart = true
