import { randomInt } from 'node:crypto'

const quote = 0x22
const backslash = 0x5c
const letterU = 0x75

// Of this process alone, so that nobody can choose many keys that have one hash.
const seed = randomInt(2 ** 31)
const factor = randomInt(2 ** 30) * 2 + 1

/** Where the string that begins at a place ends; -1 where no store can hold it. */
export function endOfString(text: string, begin: number): number {
  for (let at = begin + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) return at
    if (code !== backslash) continue
    const length = escapeLength(text, at)
    if (length < 0) return -1
    at += length - 1
  }
  return text.length
}

/** The same for a key; its hash, which is that of its meaning (`\u0061` is an `a`), goes to a place. */
export function endOfKey(text: string, begin: number, hashes: Int32Array, place: number): number {
  let hash = seed
  let at = begin + 1
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === quote) break
    if (code !== backslash) {
      hash = mix(hash, code)
      at += 1
      continue
    }
    const length = escapeLength(text, at)
    if (length < 0) return -1
    hash = mix(hash, length === 2 ? shortEscape(text.charCodeAt(at + 1)) : unitAt(text, at))
    if (length === 12) hash = mix(hash, unitAt(text, at + 6))
    at += length
  }
  hashes[place] = hash
  return at
}

function mix(before: number, unit: number): number {
  const product = Math.imul(before ^ unit, factor)
  return product ^ (product >>> 15)
}

/** How many characters an escape has, a pair of them included; -1 for U+0000 and half of a pair. */
function escapeLength(text: string, at: number): number {
  if (text.charCodeAt(at + 1) !== letterU) return 2
  const unit = unitAt(text, at)
  if (unit === 0) return -1
  if (unit < 0xd800 || unit > 0xdfff) return 6
  const isPair = unit < 0xdc00 && text.charCodeAt(at + 6) === backslash
  const second = isPair && text.charCodeAt(at + 7) === letterU ? unitAt(text, at + 6) : 0
  return second >= 0xdc00 && second <= 0xdfff ? 12 : -1
}

/** The code unit that `\uXXXX` stands for. */
function unitAt(text: string, at: number): number {
  let unit = 0
  for (let place = at + 2; place < at + 6; place += 1) {
    const code = text.charCodeAt(place)
    unit = unit * 16 + (code <= 0x39 ? code - 0x30 : (code | 0x20) - 0x57)
  }
  return unit
}

function shortEscape(code: number): number {
  switch (code) {
    case 0x62:
      return 0x08
    case 0x66:
      return 0x0c
    case 0x6e:
      return 0x0a
    case 0x72:
      return 0x0d
    case 0x74:
      return 0x09
    default:
      return code
  }
}
