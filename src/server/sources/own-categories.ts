import type { ListedCategory } from '../../category-list/read-categories.ts'
import { splitWords } from '../../category-list/split-words.ts'
import type { SourceTransaction } from '../../statements/statement.ts'
import { findSetting } from '../db/settings-store.ts'
import type { Queries } from '../kernel/database.ts'
import type { CategoryKey } from '../simulation/categories.ts'
import type { Categorized } from './describe.ts'

/** Finds the category of a booking by the operator's words; undefined where none of them is in it. */
export type FindCategory = (transaction: SourceTransaction) => CategoryKey | undefined

interface Phrase {
  words: readonly string[]
  /** The place of its entry in the list. */
  place: number
  entry: ListedCategory
}

/** Prepares a list for many bookings: a text is split once, and each of its words is looked up. */
export function createCategoryFinder(list: readonly ListedCategory[]): FindCategory {
  const phrases = new Map<string, Phrase[]>()
  for (const [place, entry] of list.entries()) {
    for (const words of entry.words.map(splitWords)) {
      const [first = ''] = words
      const others = phrases.get(first)
      if (others) others.push({ words, place, entry })
      else phrases.set(first, [{ words, place, entry }])
    }
  }
  if (phrases.size === 0) return () => undefined
  return ({ counterparty = '', description, amount }) => {
    const direction = amount.startsWith('-') ? 'out' : 'in'
    let found: Phrase | undefined
    for (const words of [splitWords(counterparty), splitWords(description)]) {
      for (const [start, word] of words.entries()) {
        for (const phrase of phrases.get(word) ?? []) {
          if (found && found.place <= phrase.place) break
          if ((phrase.entry.direction ?? direction) !== direction) continue
          if (phrase.words.every((one, index) => words[start + index] === one)) found = phrase
        }
      }
    }
    return found?.entry.category
  }
}

/** What finds the operator's categories; nothing is found where no list was read. */
export async function findOwnCategories(db: Queries): Promise<FindCategory> {
  const text = await findSetting(db, 'category_list')
  return createCategoryFinder(text === undefined ? [] : (JSON.parse(text) as ListedCategory[]))
}

/** A booking with its category by the operator's words, if one of them is in it. */
export function categorize<Row extends Categorized>(row: Row, find: FindCategory): Row {
  const category = find(row)
  return category === undefined ? row : { ...row, category }
}
