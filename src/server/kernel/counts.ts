/** Counts by name. A name whose count is 0 takes no memory. */
export function createCounts() {
  const counts = new Map<string, number>()
  const of = (name: string): number => counts.get(name) ?? 0
  return {
    of,
    add(name: string, change: number): void {
      const next = of(name) + change
      if (next === 0) counts.delete(name)
      else counts.set(name, next)
    },
  }
}
