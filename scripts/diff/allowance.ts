/** Whether the version of the contract says that it breaks clients. */
export interface Allowance {
  before: string
  after: string
  isAllowed: boolean
  /** The lowest version number that announces the change. */
  needed: string
}

/**
 * Compares `info.version` with that of the base or, where it is known, of the last release: what is
 * raised once says so for every change until it is released.
 */
export function allowanceOf(before: string, after: string): Allowance {
  const [old, now] = [numbersOf(before), numbersOf(after)]
  // Below 1.0.0 the second number is decisive, as in Semantic Versioning.
  const needed = old[0] > 0 ? `${old[0] + 1}.0.0` : `0.${old[1] + 1}.0`
  const isAllowed = now[0] > old[0] || (now[0] === 0 && old[0] === 0 && now[1] > old[1])
  return { before, after, isAllowed, needed }
}

function numbersOf(version: string): [number, number] {
  const [, major, minor] = version.match(/^(\d+)\.(\d+)\.\d+/) ?? []
  return [Number(major ?? 0), Number(minor ?? 0)]
}
