import type { Contract } from '../contract/contract.ts'
import type { Located } from './field-conditions.ts'
import type { Node } from './node.ts'
import type { Direction, KindName } from './verdicts.ts'

/** One thing that a schema says differently, at one place of a body. */
export interface Change {
  kind: KindName
  /** The field, such as `accounts[].name`; empty for the body itself. */
  field: string
  /** What happened to it, to be read after its name. */
  words: string
  /** Where it is written: in the new contract, or in the old one if it is gone. */
  at: string
}

/** What is compared, and what was found. */
export interface Comparison {
  before: Contract
  after: Contract
  direction: Direction
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

/** Adds a finding, with the place where it is written. */
export type Tell = (kind: KindName, words: string, at: string) => void

export const telling =
  ({ found }: Comparison, field: string): Tell =>
  (kind, words, at) =>
    void found.push({ kind, field, words, at })

/** Where a keyword is written now or, if it is gone, was written. */
export const placeOf = ({ before, after }: Pair, keyword: string): string =>
  after.places.get(keyword) ?? before.places.get(keyword) ?? after.at

export const below = (field: string, name: string): string => (field ? `${field}.${name}` : name)
