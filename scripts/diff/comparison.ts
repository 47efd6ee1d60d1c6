import type { Located } from './field-conditions.ts'
import type { Change, Contracts, Place } from './finding.ts'
import type { Node } from './node.ts'
import type { Direction, KindName } from './verdicts.ts'

/** What is compared, and what was found. */
export interface Comparison extends Contracts {
  direction: Direction
  /** The body that the fields are in. */
  body: Omit<Place, 'field'>
  /** The schemas that mean something else, or lead to one that does. */
  changed: Set<string>
  found: Change[]
  /** The pairs of places that are being compared, since a schema can hold itself. */
  open: Set<string>
}

/** Two readings of the same place. */
export interface Pair {
  field: string
  theirs: Located[]
  ours: Located[]
  before: Node
  after: Node
  /** Whether they are only conditions on a value that is described elsewhere. */
  isRule: boolean
}

/** Adds a change of a field, with the place where it is written. */
export const telling =
  ({ found, body, direction }: Comparison, field: string) =>
  (kind: KindName, words: string, at: string): void =>
    void found.push({ kind, words, at, direction, place: { ...body, field } })

/** Where a keyword is written now or, if it is gone, was written. */
export const placeOf = ({ before, after }: Pair, keyword: string): string =>
  after.places.get(keyword) ?? before.places.get(keyword) ?? after.at

export const below = (field: string, name: string): string => (field ? `${field}.${name}` : name)
