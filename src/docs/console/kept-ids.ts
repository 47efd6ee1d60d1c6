import { shallowReactive } from 'vue'

/** Where a field of a request gets its value from: the answers of other operations. */
export interface IdSource {
  /** What it is called there. */
  name: string
  /** The operations, the usual one first. */
  from: { path: string; href: string }[]
}

/** What the console says of a field: a value to fill in, or where to get one. */
export interface Offer {
  field: string
  source: IdSource
  /** The latest value of this visit. */
  kept?: { path: string; value: string }
}

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

/** The latest answer of each operation, the oldest first; gone with the page, as the secret is. */
const answers = shallowReactive(new Map<string, Json>())

export function keepAnswer(path: string, body: string): void {
  const answer = parse(body)
  if (answer === undefined) return
  answers.delete(path)
  answers.set(path, answer)
}

/** The fields of the body that get their values from answers, and lists that go on. */
export function offersFor(sources: Record<string, IdSource>, body: string): Offer[] {
  const sent = parse(body)
  return Object.entries(sources).flatMap(([field, source]): Offer[] => {
    const kept = latest(source)
    const offer = kept ? { field, source, kept } : { field, source }
    const isThere = sent !== undefined && find(sent, field) !== undefined
    return isThere || (kept && isCursor(source)) ? [offer] : []
  })
}

/** An answer names the place where the next one begins by another name than the request. */
const isCursor = ({ name }: IdSource): boolean => name.startsWith('next_')

function latest({ name, from }: IdSource): Offer['kept'] {
  const paths = new Set(from.map(({ path }) => path))
  const found = [...answers].filter(([path]) => paths.has(path)).reverse()
  for (const [path, answer] of found) {
    const value = find(answer, name)
    if (typeof value === 'string' && value !== '') return { path, value }
  }
  return undefined
}

/** The body with the value at each place of the field, or at the top where it has none. */
export function fillIn(body: string, field: string, found: Json): string {
  const sent = parse(body)
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return body
  const filled = find(sent, field) === undefined ? { ...sent, [field]: found } : sent
  const replace = (old: unknown) => (Array.isArray(old) ? [found] : found)
  return JSON.stringify(filled, (name, old) => (name === field ? replace(old) : old), 2)
}

export function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The first value of this name, the one nearest to the top. */
export function find(json: Json, name: string): Json | undefined {
  let level: Json[] = [json]
  while (level.length > 0) {
    const below: Json[] = []
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue
      if (!Array.isArray(value) && value[name] !== undefined) return value[name]
      below.push(...Object.values(value))
    }
    level = below
  }
  return undefined
}
