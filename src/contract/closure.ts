/** The starts, and everything that they lead to. */
export function closure<Item>(
  starts: Iterable<Item>,
  next: (item: Item) => Iterable<Item>,
): Set<Item> {
  const seen = new Set(starts)
  // What is added while a set is read is read, too.
  for (const item of seen) for (const one of next(item)) seen.add(one)
  return seen
}
