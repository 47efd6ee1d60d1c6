import type { InstitutionEntry, ListedProduct } from '../../generated/institution-list/types.ts'

/** An institution of the list, complete and checked. */
export interface ListedInstitution extends InstitutionEntry {
  products: ListedProduct[]
  /** As they are written: a reference stands for its value, which is never stored. */
  settings: Record<string, unknown>
}

/** What a file of institutions says. */
export interface InstitutionList {
  institutions: readonly ListedInstitution[]
  /** Whether the built-in institutions are listed too. */
  builtIn: boolean
  /** What loaded connectors list, as the built-in institutions. */
  offered?: readonly ListedInstitution[]
}
