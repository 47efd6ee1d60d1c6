/** Admits work while it is open, and resolves when no work is running. */
export interface DrainBarrier {
  /** Runs `work`; while the barrier is closed, `work` waits. */
  run<Result>(work: () => Promise<Result>): Promise<Result>
  close(): void
  open(): void
  /** Resolves once no work is running. Close the barrier first. */
  drained(): Promise<void>
}

export function createDrainBarrier(): DrainBarrier {
  let running = 0
  let opened: PromiseWithResolvers<void> | undefined
  let emptied: PromiseWithResolvers<void> | undefined
  return {
    async run(work) {
      while (opened) await opened.promise
      running += 1
      try {
        return await work()
      } finally {
        running -= 1
        if (running === 0) emptied?.resolve()
      }
    },
    close() {
      opened ??= Promise.withResolvers()
    },
    open() {
      opened?.resolve()
      opened = undefined
    },
    async drained() {
      if (running === 0) return
      emptied ??= Promise.withResolvers()
      await emptied.promise
      emptied = undefined
    },
  }
}
