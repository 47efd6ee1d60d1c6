/** What only the first list has, what only the second one has, and what both have. */
interface Split<Item> {
  gone: Item[]
  added: Item[]
  kept: Item[]
}

/** Compares two lists of names or values, in their order. */
export function split<Item>(before: Iterable<Item>, after: Iterable<Item>): Split<Item> {
  const [theirs, ours] = [new Set(before), new Set(after)]
  return {
    gone: [...theirs].filter((one) => !ours.has(one)),
    added: [...ours].filter((one) => !theirs.has(one)),
    kept: [...ours].filter((one) => theirs.has(one)),
  }
}
