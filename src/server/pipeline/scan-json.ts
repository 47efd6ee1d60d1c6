import { endOfKey, endOfString } from './json-strings.ts'

/** Far more than any field has; what walks through a body, as JSON.stringify does, has its limit. */
export const maximumLevels = 100
/** Ten times the keys of the contract's largest object: to list keys takes time for each of them. */
export const maximumKeys = 10_000

/** Why a JSON text is rejected although a parser reads it. */
export type Flaw = 'levels' | 'keys' | 'text' | Repeated

/** An object has this key twice. */
export interface Repeated {
  key: string
}

const quote = 0x22
const comma = 0x2c
const openingBrace = 0x7b
const closingBrace = 0x7d
/** The brackets have the codes of the braces without this bit. */
const braceBit = 0x20

// One set for all texts: a scan waits for nothing.
/** The hashes of the keys of all objects that are open, those of the innermost last. */
let hashes = new Int32Array(4096)
const isList = -1
/** By level: where the hashes of an object begin, and where its text begins. */
const firstHash = new Int32Array(maximumLevels + 1).fill(isList)
const start = new Int32Array(maximumLevels + 1)

/**
 * Finds in a JSON text, in one pass, what RFC 7493 advises against, and more levels or keys than
 * anybody needs. For a text that is not JSON the result means nothing: the parser rejects it.
 */
export function findFlaw(text: string): Flaw | undefined {
  let level = 0
  let first = isList
  let count = 0
  let isKey = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === comma) isKey = first !== isList
    else if (code === quote && !isKey) {
      at = endOfString(text, at)
      if (at < 0) return 'text'
    } else if (code === quote) {
      if (count === hashes.length) hashes = doubled(hashes)
      at = endOfKey(text, at, hashes, count)
      if (at < 0) return 'text'
      isKey = false
      count += 1
      if (count - first > maximumKeys) return 'keys'
    } else if ((code | braceBit) === openingBrace) {
      if (level === maximumLevels) return 'levels'
      level += 1
      isKey = code === openingBrace
      first = isKey ? count : isList
      firstHash[level] = first
      start[level] = at
    } else if ((code | braceBit) === closingBrace && level > 0) {
      const repeated =
        first !== isList && count - first > 1 ? findRepeated(text, level, count) : undefined
      if (repeated) return repeated
      if (first !== isList) count = first
      level -= 1
      first = firstHash[level] as number
      isKey = false
    }
  }
  return undefined
}

function doubled(full: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(full.length * 2)
  larger.set(full)
  return larger
}

/** So few are compared each with each other, which needs no table. */
const few = 8
let table = new Int32Array(64)

/** The key that the object of a level has twice, whose hashes end before a place. */
function findRepeated(text: string, level: number, end: number): Repeated | undefined {
  const first = firstHash[level] as number
  const isEqual = end - first > few ? hasEqualInTable(first, end) : hasEqual(first, end)
  return isEqual ? compareKeys(text, start[level] as number) : undefined
}

function hasEqual(first: number, end: number): boolean {
  for (let at = first + 1; at < end; at += 1) {
    const hash = hashes[at]
    for (let other = first; other < at; other += 1) if (hash === hashes[other]) return true
  }
  return false
}

function hasEqualInTable(first: number, end: number): boolean {
  let size = 32
  while (size < (end - first) * 2) size *= 2
  if (table.length < size) table = new Int32Array(size)
  else table.fill(0, 0, size)
  for (let at = first; at < end; at += 1) {
    // Zero is a free place. Another hash may become equal by this: the keys are compared then.
    const hash = hashes[at] || 1
    let place = hash & (size - 1)
    while (table[place] !== 0) {
      if (table[place] === hash) return true
      place = (place + 1) & (size - 1)
    }
    table[place] = hash
  }
  return false
}

/** The same by the keys themselves, of the object that begins at a place: unlike ones can have one hash. */
function compareKeys(text: string, begin: number): Repeated | undefined {
  const keys = new Set<string>()
  let level = 0
  let isKey = true
  for (let at = begin + 1; at < text.length && level >= 0; at += 1) {
    const code = text.charCodeAt(at)
    if (code === comma) isKey = level === 0
    else if ((code | braceBit) === openingBrace) level += 1
    else if ((code | braceBit) === closingBrace) level -= 1
    else if (code === quote) {
      const end = endOfString(text, at)
      const key = isKey ? read(text.slice(at, end + 1)) : undefined
      if (key !== undefined && keys.has(key)) return { key }
      if (key !== undefined) keys.add(key)
      isKey = false
      at = end
    }
  }
  return undefined
}

function read(quoted: string): string | undefined {
  try {
    return JSON.parse(quoted) as string
  } catch {
    // No string of JSON, so the text is none either, and the parser rejects it.
    return undefined
  }
}
