import { hash as hashOnce } from 'node:crypto'
import { toLetters } from '../kernel/ids.ts'

/** A stream of random numbers that depends only on its seed. */
export interface Random {
  /** From 0 up to, but without, 1. */
  next(): number
  /** A whole number; both ends are possible. */
  integer(from: number, to: number): number
  chance(probability: number): boolean
  pick<Value>(list: readonly Value[]): Value
  /** Like `pick`, but each value has a relative frequency. */
  weighted<Value>(list: readonly Value[], weightOf: (value: Value) => number): Value
  digits(count: number): string
  /** A separate stream, so that draws for one part do not change the results of another. */
  fork(label: string): Random
}

// Uses a string, since a small Buffer costs more than the hash itself.
const hash = (algorithm: string, text: string): Buffer =>
  Buffer.from(hashOnce(algorithm, text, 'hex'), 'hex')

/** Doty-Humphrey's sfc32: small, fast, and it passes the usual statistical tests. */
function sfc32(seed: Buffer): () => number {
  let [a, b, c, d] = [0, 4, 8, 12].map((at) => seed.readInt32LE(at)) as [
    number,
    number,
    number,
    number,
  ]
  return () => {
    const sum = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return (sum >>> 0) / 2 ** 32
  }
}

export function createRandom(seed: string): Random {
  const next = sfc32(hash('sha256', seed))
  const integer = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1))
  const at = <Value>(list: readonly Value[], index: number): Value => {
    const value = list[index]
    if (value === undefined) throw new RangeError('There is nothing to pick from.')
    return value
  }
  return {
    next,
    integer,
    chance: (probability) => next() < probability,
    pick: (list) => at(list, integer(0, list.length - 1)),
    weighted: (list, weightOf) => {
      let left = next() * list.reduce((sum, value) => sum + weightOf(value), 0)
      const chosen = list.findIndex((value) => {
        left -= weightOf(value)
        return left < 0
      })
      return at(list, chosen === -1 ? list.length - 1 : chosen)
    },
    digits: (count) => Array.from({ length: count }, () => integer(0, 9)).join(''),
    fork: (label) => createRandom(`${seed}/${label}`),
  }
}

const hexLength = 24

/** An identifier derived from a seed and a name: letters and digits, a UUID, or hexadecimal. */
export function idFrom(seed: string, label: string, kind: 'opaque' | 'uuid' | 'hex'): string {
  let round = 0
  const bytes = (): Buffer => hash('sha512', `${seed}/${label}/${round++}`)
  if (kind === 'opaque') return toLetters(37, bytes)
  const hex = bytes().toString('hex')
  if (kind === 'hex') return hex.slice(0, hexLength)
  const variant = '89ab'[Number.parseInt(hex.slice(16, 17), 16) % 4]
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}
