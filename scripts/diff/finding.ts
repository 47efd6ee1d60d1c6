import type { Contract } from '../contract/contract.ts'
import { code } from '../contract/words.ts'
import { type Direction, effectOf, type KindName, type Verdict } from './verdicts.ts'

/** Where a caller meets a change. */
export interface Place {
  /** An operationId, or a webhook's name; empty for the document as a whole. */
  name: string
  /** The side of it: `request`, `answer`, `error 400`, `webhook`; empty for the operation itself. */
  side: string
  /** Such as `accounts[].name`; empty for the body itself. */
  field: string
}

/** One thing that the contract says differently, at one place. */
export interface Change {
  kind: KindName
  place: Place
  /** What happened, to be read after the name of the place. */
  words: string
  /** The JSON Pointer into the bundle, the new one or, of what is gone, the old one. */
  at: string
  /** Which way the body goes that changed, if it is one. */
  direction?: Direction
}

/** A change as a caller meets it, once for all places that it comes from one line of the contract. */
export interface Finding extends Omit<Change, 'place'> {
  verdict: Verdict
  /** What breaks, or null. */
  effect: string | null
  /** The documents that have it: dated versions, and those without versions. */
  documents: string[]
  places: Place[]
}

/** A change of an operation, a webhook or a document as a whole. */
export const wholeChange = (kind: KindName, name: string, words: string, at: string): Change => ({
  kind,
  place: { name, side: '', field: '' },
  words,
  at,
})

export function toFinding(change: Change, document: string): Finding {
  const { kind, place, words, at, direction } = change
  const effect = effectOf(kind, direction)
  return {
    kind,
    verdict: effect === null ? 'compatible' : 'breaking',
    effect,
    ...(direction && { direction }),
    documents: [document],
    places: [place],
    words,
    at,
  }
}

/** Two contracts of one document. */
export interface Contracts {
  before: Contract
  after: Contract
}

/** Joins equal findings, of several operations that share a schema or of several documents. */
export function joinEqual(findings: Finding[]): Finding[] {
  const groups = Map.groupBy(findings, ({ kind, verdict, words, at }) =>
    [kind, verdict, words, at].join('\n'),
  )
  return [...groups.values()].map((equal) => {
    const places = equal.flatMap((one) => one.places)
    return {
      ...equal[0]!,
      documents: [...new Set(equal.flatMap(({ documents }) => documents))],
      places: [...new Map(places.map((place) => [JSON.stringify(place), place])).values()],
    }
  })
}

/** `transferGet` answer: `transfer.amount` */
export function placeWords({ name, side, field }: Place): string {
  const head = [name && code(name), side].filter(Boolean).join(' ')
  const subject = field ? codeOf(field) : side && 'the body'
  return [head, subject].filter(Boolean).join(': ')
}

const codeOf = (field: string): string => (field.startsWith('each name') ? field : code(field))

/** The change in one line, with the first place where a client meets it. */
export function sentence({ places, words }: Finding): string {
  return `${placeWords(places[0]!)}${words.startsWith(':') ? '' : ' '}${words}`.replace(/^:? /, '')
}
