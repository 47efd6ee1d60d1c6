import { seed } from './scale.ts'

/** Numbers by chance that a seed repeats; `name` tells one use from another. */
export function createRandom(name: string) {
  let state = seed
  for (const letter of name) state = Math.imul(state ^ letter.charCodeAt(0), 0x9e3779b1)
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    /** From 0 to below 1. */
    next,
    /** A whole number from `low` to `high`. */
    between: (low: number, high: number): number => low + Math.floor(next() * (high - low + 1)),
  }
}

export type Random = ReturnType<typeof createRandom>
