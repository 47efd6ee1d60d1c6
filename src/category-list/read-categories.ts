import type { CategoryEntry } from '../../generated/category-list/types.ts'
import { CategoryList as schema } from '../../generated/category-list/validators/categories.js'
import { hintOf } from '../nearest.ts'
import { type CategoryKey, categoryKeys } from '../server/simulation/categories.ts'
import { ContentError } from '../yaml/content-error.ts'
import { decode } from '../yaml/decode.ts'
import type { Problem } from '../yaml/problems.ts'
import { readChecked } from '../yaml/read-checked.ts'
import { splitWords } from './split-words.ts'

/** An entry of a list, with a category that the service knows. */
export type ListedCategory = CategoryEntry & { category: CategoryKey }

/** Read while requests wait, so not larger than what takes a moment. */
const most = { bytes: 512 * 1024, name: '512 KB' }

/** Reads a file of categories. @throws ContentError with every mistake */
export function readCategories(file: string, bytes: Uint8Array): ListedCategory[] {
  const checked = readChecked(file, decode(file, bytes, most), schema)
  if (!checked.value) throw new ContentError(checked.problems)
  const { value, at } = checked
  const problems: Problem[] = []
  for (const [index, { words, category }] of value.categories.entries()) {
    const path = `categories[${index}]`
    if (!isKnown(category)) {
      const hint = hintOf(category, categoryKeys)
      problems.push(at(`${path}.category`, `must be a known detailed category${hint}`))
    }
    for (const [place, word] of words.entries()) {
      if (splitWords(word).length > 0) continue
      problems.push(at(`${path}.words[${place}]`, 'must have a letter or a digit'))
    }
  }
  if (problems.length > 0) throw new ContentError(problems)
  return value.categories as ListedCategory[]
}

const isKnown = (category: string): boolean => categoryKeys.includes(category)
