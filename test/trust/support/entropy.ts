import { type Bytes, type IdKind, newId } from '../../../src/server/kernel/ids.ts'

const letters = 62

/** How many bits of chance an id of a kind has, by which bits of its source change it. */
export function entropyOf(kind: IdKind): number {
  const of = (bytes: Bytes) => newId(kind, 'sandbox', bytes)
  let taken = 0
  const zeros = of((count) => {
    taken = count
    return new Uint8Array(count)
  })
  // Letters and digits are drawn evenly from 62; a bit of their source is no bit of theirs.
  const drawn = zeros.match(/A{10,}$/)?.[0].length ?? 0
  if (drawn > 0) return drawn * Math.log2(letters)
  let bits = 0
  for (let bit = 0; bit < taken * 8; bit += 1) {
    const changed = of((count) => {
      const bytes = new Uint8Array(count)
      bytes[bit >> 3] = 1 << (bit & 7)
      return bytes
    })
    if (changed !== zeros) bits += 1
  }
  return bits
}

/** How many of so many ids are like another one. */
export function repeatsAmong(kind: IdKind, count: number): number {
  const seen = new Set<string>()
  for (let index = 0; index < count; index += 1) seen.add(newId(kind, 'sandbox'))
  return count - seen.size
}

/** The largest deviation of a letter's share at any place, in standard deviations. */
export function worstBias(kind: IdKind, count: number): number {
  const counts: Map<string, number>[] = []
  for (let index = 0; index < count; index += 1) {
    for (const [place, letter] of [...newId(kind, 'sandbox')].entries()) {
      const at = counts[place] ?? new Map<string, number>()
      counts[place] = at
      at.set(letter, (at.get(letter) ?? 0) + 1)
    }
  }
  const deviations = counts.flatMap((at) => {
    // Places that are fixed, or choose among less than all, say nothing here.
    if (at.size !== 16 && at.size !== 64) return []
    const share = 1 / at.size
    const spread = Math.sqrt(count * share * (1 - share))
    return [...at.values()].map((seen) => Math.abs(seen - count * share) / spread)
  })
  return Math.max(...deviations)
}
