import { basename } from 'node:path'
import type { ListedCategory } from '../../category-list/read-categories.ts'
import type { Config } from '../config/config.ts'
import type { Service } from '../kernel/service.ts'
import { applyCategories } from '../operator/apply-categories.ts'
import { readOptionFile } from './option-file.ts'

type ListConfig = Pick<Config, 'categories'>

/** Reads the file of categories, if an option names one. @throws ConfigError with every mistake */
export const readCategoriesFile = async ({
  categories: file,
}: ListConfig): Promise<ListedCategory[] | undefined> =>
  file === undefined
    ? undefined
    : readOptionFile('--categories (CATEGORIES)', file, async (bytes) => {
        const { readCategories } = await import('../../category-list/read-categories.ts')
        return readCategories(file, bytes)
      })

/** Makes what was read the categories of imports; without a file those stay that were read last. */
export async function listCategories(
  service: Service,
  { categories: path }: ListConfig,
  list: readonly ListedCategory[] | undefined,
  actor: string,
): Promise<void> {
  if (!list || path === undefined) return
  const file = basename(path)
  const changed = await applyCategories(service, list, { file, actor })
  service.log.info({ file, listed: list.length, changed }, 'categories')
}
