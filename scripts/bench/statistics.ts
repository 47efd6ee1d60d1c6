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

/** The same elements in a random order. */
export function shuffle<Element>(elements: readonly Element[], random = Math.random): Element[] {
  const left = [...elements]
  return elements.flatMap(() => left.splice(Math.floor(random() * left.length), 1))
}
