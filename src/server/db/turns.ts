/** Lets work take turns, by what it is about. */
export interface Turns {
  /** Whether anything waits or runs there. */
  areTaken(name: string): boolean
  take<Result>(name: string, work: () => Promise<Result>): Promise<Result>
}

/** Turns within this process: of those who wait for other processes, one per name holds a lane. */
export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>()
  return {
    areTaken: (name) => last.has(name),
    async take(name, work) {
      const turn = (last.get(name) ?? Promise.resolve()).then(work)
      const over = turn.catch(() => {})
      last.set(name, over)
      try {
        return await turn
      } finally {
        if (last.get(name) === over) last.delete(name)
      }
    },
  }
}
