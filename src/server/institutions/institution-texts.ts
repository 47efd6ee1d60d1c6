import type { DirectoryEntry } from './directory.ts'
import { type Shown, toInstitution } from './institution.ts'
import type { InstitutionRow } from './store.ts'

/** Institutions as a search answers them, in JSON, by their entries in a directory. */
export interface InstitutionTexts {
  find(entry: DirectoryEntry): string | undefined
  add(entry: DirectoryEntry, row: InstitutionRow): void
}

/**
 * Without any of the parts that are asked for by name, some of which are long. An entry is of one
 * state of the directory, and so is its text; both are gone when the directory is.
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
