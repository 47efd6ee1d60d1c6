import { randomInt } from 'node:crypto'

/**
 * No field needs as many levels. Recursive code, such as JSON.stringify, overflows the stack beyond
 * a few thousand.
 */
export const maximumLevels = 100
/** Ten times the keys of the contract's largest object. Time grows with the number of keys. */
export const maximumKeys = 10_000

/** Why a JSON text is rejected although the parser accepts it. */
export type Flaw = 'levels' | 'keys' | 'text' | Repeated

/** An object has this key twice. */
export interface Repeated {
  key: string
}

const quote = 0x22
const comma = 0x2c
const backslash = 0x5c
const letterU = 0x75
const openingBrace = 0x7b
const closingBrace = 0x7d
/** The codes of brackets are those of braces without this bit. */
const braceBit = 0x20

// Random for each process, so attackers cannot prepare keys with equal hashes.
const seed = randomInt(2 ** 31)
const factor = randomInt(2 ** 30) * 2 + 1

function mix(before: number, unit: number): number {
  const product = Math.imul(before ^ unit, factor)
  return product ^ (product >>> 15)
}

/**
 * Finds problems in a JSON text in one pass: those that RFC 7493 lists, and too many levels or
 * keys. The result is undefined for a text that is not JSON: the parser rejects it.
 */
export function findFlaw(text: string): Flaw | undefined {
  /** The keys of all open objects. Those of the innermost come last. */
  const keys: Keys = { begins: [], hashes: [] }
  /** By level: the index of its object's first key. */
  const firsts = [isList]
  let level = 0
  let first = isList
  let count = 0
  let isKey = false
  // Searching for a character takes a tenth of the time of reading each.
  let nextEscape = findEscape(text, 0)
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === comma) isKey = first !== isList
    else if (code === quote) {
      if (!isKey) {
        const end = text.indexOf('"', at + 1)
        if (end < 0) return undefined
        if (nextEscape < at) nextEscape = findEscape(text, at)
        at = nextEscape < end ? endOfString(text, at) : end
        if (at < 0) return 'text'
        continue
      }
      keys.begins[count] = at
      at = endOfString(text, at)
      if (at < 0) return 'text'
      keys.hashes[count] = stringHash
      isKey = false
      count += 1
      if (count - first > maximumKeys) return 'keys'
    } else if ((code | braceBit) === openingBrace) {
      if (level === maximumLevels) return 'levels'
      level += 1
      isKey = code === openingBrace
      first = isKey ? count : isList
      firsts[level] = first
    } else if ((code | braceBit) === closingBrace && level > 0) {
      if (first !== isList) {
        const key = count - first > 1 ? findRepeated(text, keys, first, count) : undefined
        if (key !== undefined) return { key }
        count = first
      }
      level -= 1
      first = firsts[level] as number
      isKey = false
    }
  }
  return undefined
}

const isList = -1

/** Where the next backslash is, from a position on. */
function findEscape(text: string, from: number): number {
  const found = text.indexOf('\\', from)
  return found < 0 ? Number.POSITIVE_INFINITY : found
}

/** The start and the hash of each key. */
interface Keys {
  begins: number[]
  hashes: number[]
}

/**
 * A hash table: each entry is the index of a key plus one. All scans share it, since a scan is
 * synchronous.
 */
let table = new Int32Array(64)

/** A duplicate key of one object, whose keys are those from `first` to `end`. */
function findRepeated(
  text: string,
  { begins, hashes }: Keys,
  first: number,
  end: number,
): string | undefined {
  let size = 16
  while (size < (end - first) * 2) size *= 2
  if (table.length < size) table = new Int32Array(size)
  else table.fill(0, 0, size)
  for (let at = first; at < end; at += 1) {
    const hash = hashes[at] as number
    let slot = hash & (size - 1)
    for (; table[slot] !== 0; slot = (slot + 1) & (size - 1)) {
      const other = (table[slot] as number) - 1
      if (hashes[other] !== hash) continue
      // Different keys can have the same hash.
      const key = readString(text, begins[at] as number)
      if (key !== undefined && key === readString(text, begins[other] as number)) return key
    }
    table[slot] = at + 1
  }
  return undefined
}

/** The hash of the string that was read last. It covers the decoded value: `\u0061` is an `a`. */
let stringHash = 0

/**
 * Where the string that starts at a position ends. Returns -1 for U+0000 and unpaired surrogates.
 */
function endOfString(text: string, begin: number): number {
  let hash = seed
  let isHigh = false
  let at = begin + 1
  for (; at < text.length; at += 1) {
    let unit = text.charCodeAt(at)
    if (unit === quote) break
    let isUnicode = false
    if (unit === backslash) {
      at += 1
      isUnicode = text.charCodeAt(at) === letterU
      unit = isUnicode ? unitAt(text, at + 1) : shortEscape(text, at)
      if (isUnicode) at += 4
    }
    // Unescaped surrogates are paired, since a body is UTF-8.
    const isLow = isUnicode && unit >= 0xdc00 && unit <= 0xdfff
    if (isLow !== isHigh || (isUnicode && unit === 0)) return -1
    isHigh = isUnicode && unit >= 0xd800 && unit < 0xdc00
    hash = mix(hash, unit)
  }
  stringHash = hash
  return isHigh ? -1 : at
}

/** The code unit of four hexadecimal digits. `parseInt` takes several times as long. */
function unitAt(text: string, begin: number): number {
  let unit = 0
  for (let at = begin; at < begin + 4; at += 1) {
    const code = text.charCodeAt(at)
    unit = unit * 16 + (code <= 0x39 ? code - 0x30 : (code | 0x20) - 0x57)
  }
  return unit
}

function shortEscape(text: string, at: number): number {
  const known = 'bfnrt'.indexOf(text.charAt(at))
  return known < 0 ? text.charCodeAt(at) : '\b\f\n\r\t'.charCodeAt(known)
}

/** The decoded string. Undefined if it is invalid JSON, which the parser then rejects. */
function readString(text: string, begin: number): string | undefined {
  try {
    return JSON.parse(text.slice(begin, endOfString(text, begin) + 1))
  } catch {
    return undefined
  }
}
