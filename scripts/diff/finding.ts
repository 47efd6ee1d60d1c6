import type { Contract } from '../contract/contract.ts'
import { type Direction, effectOf, type KindName, type Verdict, verdictOf } from './verdicts.ts'

/** Where a caller meets a change. */
export interface Place {
  /** An operationId, or a webhook's name; empty for the document as a whole. */
  name: string
  /** The side of it: `request`, `answer`, `error 400`, `webhook`; empty for the operation itself. */
  side: string
  field: string
}

/** A change as a caller meets it, once for all places that it comes from one line of the contract. */
export interface Finding {
  kind: KindName
  verdict: Verdict
  /** Which way the body goes that changed, if it is one. */
  direction?: Direction
  /** What breaks, or null. */
  effect: string | null
  /** The documents that have it: dated versions, and the sandbox. */
  documents: string[]
  places: Place[]
  /** What happened, after the name of the place. */
  words: string
  /** The JSON Pointer into the bundle, the new one or, of what is gone, the old one. */
  at: string
}

export interface RawFinding {
  kind: KindName
  place: Place
  words: string
  at: string
  direction?: Direction
}

/** A change of an operation, a webhook or a document as a whole. */
export const wholeFinding = (
  kind: KindName,
  name: string,
  words: string,
  at: string,
): RawFinding => ({
  kind,
  place: { name, side: '', field: '' },
  words,
  at,
})

export function toFinding(found: RawFinding, document: string): Finding {
  const { kind, place, words, at, direction } = found
  return {
    kind,
    verdict: verdictOf(kind, direction),
    effect: effectOf(kind, direction),
    ...(direction ? { direction } : {}),
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
export function join(findings: Finding[]): Finding[] {
  const joined = new Map<string, Finding>()
  for (const finding of findings) {
    const { kind, verdict, words, at } = finding
    const key = [kind, verdict, words, at].join('\n')
    const same = joined.get(key)
    if (!same) joined.set(key, { ...finding })
    else {
      same.documents = [...new Set([...same.documents, ...finding.documents])]
      const names = new Set(same.places.map(placeKey))
      same.places = [...same.places, ...finding.places.filter((one) => !names.has(placeKey(one)))]
    }
  }
  return [...joined.values()]
}

const placeKey = ({ name, side, field }: Place): string => `${name} ${side} ${field}`

const code = (text: string): string => `\`${text}\``

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
