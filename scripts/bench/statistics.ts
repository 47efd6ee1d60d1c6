/** The middle value; of an even number, the mean of the two in the middle. NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  if (Number.isInteger(middle)) return ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2
  return sorted[Math.floor(middle)] ?? NaN
}

/** The smallest value that at least this share of the values does not exceed; NaN of none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? NaN
}

/** The same elements in an order of chance. */
export function shuffle<Element>(elements: readonly Element[], chance = Math.random): Element[] {
  const shuffled = [...elements]
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const other = Math.floor(chance() * (last + 1))
    const [one, two] = [shuffled[last] as Element, shuffled[other] as Element]
    shuffled[last] = two
    shuffled[other] = one
  }
  return shuffled
}
