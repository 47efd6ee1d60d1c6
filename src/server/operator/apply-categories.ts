import type { ListedCategory } from '../../category-list/read-categories.ts'
import { findSetting, putSetting } from '../db/settings-store.ts'
import type { Service } from '../kernel/service.ts'
import type { ListOrigin } from './apply-institutions.ts'
import { audit } from './audit.ts'

/**
 * Makes a list the categories of imports, for every process on the data and for commands without one.
 * Returns false where it was that already.
 */
export async function applyCategories(
  service: Pick<Service, 'database' | 'settings' | 'clock'>,
  list: readonly ListedCategory[],
  { file, actor }: ListOrigin,
): Promise<boolean> {
  const { database } = service
  const text = JSON.stringify(list)
  if ((await findSetting(database.single, 'category_list')) === text) return false
  return database.exclusive(async (db) => {
    if ((await findSetting(db, 'category_list')) === text) return false
    await putSetting(db, 'category_list', text)
    const details = { listed: list.length }
    await audit(service, db, { actor, action: 'categories.read', subject: file, details })
    return true
  })
}
