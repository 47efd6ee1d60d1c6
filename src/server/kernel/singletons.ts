/** Makes each value once, by the function that creates it, and keeps it in memory. */
export function createSingletons(): <Kept>(create: () => Kept) => Kept {
  const kept = new Map<() => unknown, unknown>()
  return <Kept>(create: () => Kept): Kept => {
    if (!kept.has(create)) kept.set(create, create())
    return kept.get(create) as Kept
  }
}
