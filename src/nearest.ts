import { distance } from 'fastest-levenshtein'

/**
 * The name that was meant by a wrong one: they differ in case, separators or a slip or two, or one is
 * a part of the other. Names of fewer than `shortest` letters are not guessed.
 */
export function nearest(wrong: string, names: readonly string[], shortest = 4): string | undefined {
  const asked = plain(wrong)
  if (asked.length < shortest) return undefined
  const [best = ''] = closest(wrong, names)
  // Two letters that changed places count as two slips.
  const slips = plain(best)[0] === asked[0] ? 2 : 1
  if (best !== '' && distance(plain(best), asked) <= slips) return best
  // A name without letters is a part of every other one, and is never meant.
  return names.find(
    (name) => plain(name) !== '' && (plain(name).includes(asked) || asked.includes(plain(name))),
  )
}

/** The names in the order of how much they differ from a wrong one. */
export function closest(wrong: string, names: readonly string[]): string[] {
  const asked = plain(wrong)
  return names
    .map((name) => ({ name, slips: distance(plain(name), asked) }))
    .sort((a, b) => a.slips - b.slips)
    .map(({ name }) => name)
}

/** `; did you mean X?`, or nothing where no name is near. */
export function hintOf(wrong: string, names: readonly string[], shortest?: number): string {
  const near = nearest(wrong, names, shortest)
  return near === undefined ? '' : `; did you mean ${near}?`
}

/** Longer than every name. What is sent can be far longer, and comparing it would take long. */
const longestName = 64

const plain = (name: string): string =>
  name
    .slice(0, longestName)
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')
