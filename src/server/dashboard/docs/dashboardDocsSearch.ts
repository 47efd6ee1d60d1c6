import { ApiError } from '../../kernel/errors.ts'
import { markdownFolder } from '../../kernel/files.ts'
import type { LookHandler } from '../page-handler.ts'
import { searchPages } from './search-pages.ts'

const usualCount = 5

export const dashboardDocsSearch: LookHandler<'dashboardDocsSearch'> = async (_ctx, { body }) => {
  const folder = markdownFolder()
  if (folder === undefined) {
    throw new ApiError('OBJECT_NOT_FOUND', { message: 'this installation has no docs' })
  }
  return { sections: await searchPages(folder, body.query, body.count ?? usualCount) }
}
dashboardDocsSearch.isApart = true
