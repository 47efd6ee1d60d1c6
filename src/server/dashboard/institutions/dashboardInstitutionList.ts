import { toSearchName } from '../../institutions/search-name.ts'
import { readListPlace, toListCursor } from '../../kernel/list-cursor.ts'
import { filterBy } from '../filter.ts'
import type { PageHandler } from '../page-handler.ts'
import { readPage } from '../pages.ts'
import { toDashboardInstitution } from './institution.ts'
import { listInstitutionPage } from './store.ts'

export const dashboardInstitutionList: PageHandler<'dashboardInstitutionList'> = async (
  ctx,
  { body },
) => {
  const name = body.name === undefined ? undefined : toSearchName(body.name)
  // Punctuation alone is in no name.
  if (name === '') return { institutions: [], next_cursor: null }
  // Search names have neither `%` nor `_`.
  const filter = filterBy(4, [
    ['search_name like $', like(name, '')],
    ['country_codes like $', like(body.country_code, '"')],
    ['products like $', like(body.product, '"')],
  ])
  const { rows, next_cursor } = await readPage(
    body,
    (cursor, limit) => listInstitutionPage(ctx, afterOf(cursor), limit, filter),
    ({ institution_id }) => toListCursor('institutions', 0, institution_id),
  )
  return { institutions: rows.map(toDashboardInstitution), next_cursor }
}
dashboardInstitutionList.reads = true

const like = (text: string | undefined, quote: string): string | undefined =>
  text === undefined ? undefined : `%${quote}${text}${quote}%`

const afterOf = (cursor: string | undefined): string =>
  cursor === undefined ? '' : readListPlace('institutions', cursor).name
