import type { DirectoryEntry } from './directory.ts'
import { type Shown, toInstitution } from './institution.ts'
import type { InstitutionRow } from './store.ts'

/** Institutions as JSON texts of search responses, by their directory entries. */
export interface InstitutionTexts {
  find(entry: DirectoryEntry): string | undefined
  add(entry: DirectoryEntry, row: InstitutionRow): void
}

/**
 * Leaves out optional parts that were not requested, since some are long. An entry belongs to one
 * state of the directory, and so does its text. Both are discarded with the directory.
 */
const plainTexts = new WeakMap<DirectoryEntry, string>()

/** The texts of one search. */
export function textsOf(shown: Shown): InstitutionTexts {
  const isPlain = !Object.values(shown).some(Boolean)
  const texts = isPlain ? plainTexts : new Map<DirectoryEntry, string>()
  return {
    find: (entry) => texts.get(entry),
    add: (entry, row) => texts.set(entry, JSON.stringify(toInstitution(row, shown))),
  }
}
