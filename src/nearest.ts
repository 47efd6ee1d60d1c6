/**
 * The name that was meant by a wrong one: they differ in case, separators or one slip, or one is a
 * part of the other. Names of fewer than `shortest` letters are not guessed.
 */
export function nearest(wrong: string, names: readonly string[], shortest = 4): string | undefined {
  const asked = plain(wrong)
  if (asked.length < shortest) return undefined
  const isPart = (name: string) => plain(name).includes(asked) || asked.includes(plain(name))
  return (
    names.find((name) => plain(name) === asked) ??
    names.find((name) => isSlip(plain(name), asked)) ??
    names.find(isPart)
  )
}

/** `; did you mean X?`, or nothing where no name is near. */
export function hintOf(wrong: string, names: readonly string[], shortest?: number): string {
  const near = nearest(wrong, names, shortest)
  return near === undefined ? '' : `; did you mean ${near}?`
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, '')

/** Whether one letter is wrong, missing or too many, or two are swapped: all else is alike. */
function isSlip(one: string, other: string): boolean {
  const [long, short] = one.length < other.length ? [other, one] : [one, other]
  let start = 0
  while (start < short.length && long[start] === short[start]) start += 1
  let end = 0
  while (end < short.length - start && long.at(-1 - end) === short.at(-1 - end)) end += 1
  return long.length - start - end <= 2 && long.length - short.length <= 1
}
