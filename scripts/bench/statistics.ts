const ascending = (values: readonly number[]): number[] => values.toSorted((one, two) => one - two)

/** The middle value; of an even number, the mean of the two in the middle. NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = ascending(values)
  const half = (sorted.length - 1) / 2
  return ((sorted[Math.floor(half)] ?? NaN) + (sorted[Math.ceil(half)] ?? NaN)) / 2
}

/** The smallest value that at least this share of the values does not exceed; NaN of none. */
export const percentile = (values: readonly number[], share: number): number =>
  ascending(values)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? NaN

/** A figure that was measured several times. */
export interface Spread {
  median: number
  /** The interval that the true median lies in, with a probability of at least 95 %. */
  from: number
  to: number
  times: number
}

/** The median and its interval, by the order of the values alone. Of fewer than nine values, all of them. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = ascending(values)
  const skipped = skippedOf(sorted.length)
  const [from = NaN, to = NaN] = [sorted.at(skipped), sorted.at(-1 - skipped)]
  return { median: median(sorted), from, to, times: sorted.length }
}

const mostChance = 0.025

/** How many values the interval leaves out on each side. */
function skippedOf(times: number): number {
  /** That at most `below` values lie below the true median. */
  let chance = 0
  for (let [below, ways] = [0, 1]; ; below += 1, ways *= (times - below + 1) / below) {
    chance += ways * 0.5 ** times
    if (chance > mostChance) return Math.max(0, below - 1)
  }
}

/** The same elements in a random order. */
export function shuffle<Element>(elements: readonly Element[], random = Math.random): Element[] {
  const left = [...elements]
  return elements.flatMap(() => left.splice(Math.floor(random() * left.length), 1))
}
